/** What the operator of EDP, which the platform installs, deletes in Keycloak when its object goes. */

import type { RenderedObject } from '../../core/model.js';
import { getString, groupOf, lookUp } from '../../core/object.js';

type Lost = { what: string; severity?: 'warning' };

/** Kinds that hold more in Keycloak than their manifest says; what is only configured by them git has. */
const kinds: { readonly [kind: string]: Lost } = {
  ClusterKeycloakRealm: { what: 'the realm with all its users' },
  KeycloakRealm: { what: 'the realm with all its users' },
  KeycloakClient: { what: 'the client with its secret' },
  KeycloakRealmUser: { what: 'the user with its credentials' },
  KeycloakRealmGroup: { what: 'the group with its list of members', severity: 'warning' },
  KeycloakRealmRole: { what: 'the role with its assignments', severity: 'warning' },
  KeycloakOrganization: { what: 'the organization with its list of members', severity: 'warning' },
};

export function lostInKeycloak({ ref: { apiVersion, kind } }: RenderedObject): Lost | undefined {
  return groupOf(apiVersion) === 'v1.edp.epam.com' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}

/** The operator reads it from the object that is deleted. */
export const keptInKeycloak = { name: 'edp.epam.com/preserve-resources-on-deletion', value: 'true' };

export function isKeptInKeycloak({ value }: RenderedObject): boolean {
  // The operator itself deletes the object of such a user once the user is there, and leaves the user.
  return (
    getString(value, ['metadata', 'annotations', keptInKeycloak.name]) === keptInKeycloak.value ||
    lookUp(value, ['spec', 'keepResource']) === false
  );
}
