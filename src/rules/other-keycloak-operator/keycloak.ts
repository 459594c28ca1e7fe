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
  Keycloak: 'the platform already has ClusterKeycloak "keycloak-cozy"',
  KeycloakRealmImport: 'KeycloakRealm with KeycloakClient, KeycloakRealmGroup, KeycloakRealmRole and KeycloakRealmUser',
  KeycloakRealm: 'KeycloakRealm',
  KeycloakClient: 'KeycloakClient',
  KeycloakUser: 'KeycloakRealmUser',
};
