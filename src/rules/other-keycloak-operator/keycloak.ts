/**
 * The kinds of Keycloak's own operator, which the documentation names, and those that the platform has (cozystack/FACTS.md,
 * Keycloak).
 */

/** The group of the operator that the platform installs. */
export const keycloakGroup = 'v1.edp.epam.com';

/** Groups of Keycloak's own operator, the one of today and the one before. */
export const foreignGroups = ['k8s.keycloak.org', 'keycloak.org'];

/** What says the same for the operator of the platform, by the kind of the other. */
export const insteadOfKind: { readonly [kind: string]: string } = {
  Keycloak: 'the platform runs Keycloak itself and has ClusterKeycloak "keycloak-cozy" for it',
  KeycloakRealmImport:
    'write a KeycloakRealm, with KeycloakClient, KeycloakRealmGroup, KeycloakRealmRole and KeycloakRealmUser for what is in it',
  KeycloakRealm: 'write a KeycloakRealm of that group',
  KeycloakClient: 'write a KeycloakClient of that group',
  KeycloakUser: 'write a KeycloakRealmUser',
};
