/**
 * What is known of the values of the platform chart besides their names and types: no release has a schema for them, so this is
 * read from the templates that use them. Paths are below `spec.components.platform.values` of the platform's Package.
 */

/** Words that a value understands; `refused` where the chart does not render with any other, `follows` what follows from it else. */
export const choices: { readonly [path: string]: { words: readonly string[]; refused?: true; follows?: string } } = {
  'publishing.certificates.solver': { words: ['http01', 'dns01'], follows: 'its issuers use "http01"' },
  'publishing.certificates.dns01.provider': {
    words: ['cloudflare', 'route53', 'digitalocean', 'rfc2136'],
    follows: 'no dns01 issuer is made',
  },
  'publishing.exposedServices': {
    words: ['api', 'dashboard', 'cdi-uploadproxy', 'vm-exportproxy', 'linstor-gui'],
    follows: 'it exposes no such service',
  },
  'bundles.iaas.gpuOperatorVariant': { words: ['default', 'vgpu'], refused: true },
  'bundles.system.variant': { words: ['isp-full', 'isp-full-generic', 'isp-hosted'] },
};

/** Lists that templates search, so that anything else keeps the chart from rendering. */
export const searched: readonly string[] = ['bundles.enabledPackages', 'bundles.disabledPackages'];

/** What belongs to the platform's upgrades, with what it decides; `but` is the administrator's all the same. */
export const internal: { readonly [path: string]: { decides: string; but?: readonly string[] } } = {
  migrations: { decides: 'which migrations an upgrade runs', but: ['etcdAdoptSkipBackup'] },
  sourceRef: { decides: 'where all charts of the platform come from' },
};

/** What a release older than any with data had, with the last release line that read it. */
export const removed: { readonly [path: string]: string } = { 'publishing.exposure': 'v1.4' };

/** Keys that no template of a release names: the customizer's, which is documented, and what Helm and Cozystack pass on. */
export const passedOn: readonly string[] = ['customizer', 'global', '_cluster', '_namespace'];

/** The lists that are not empty where nobody sets them, the same in every release with data. */
export const ownLists: { readonly [path: string]: readonly string[] } = {
  'publishing.exposedServices': ['api', 'dashboard', 'vm-exportproxy', 'cdi-uploadproxy'],
  'gateway.attachedNamespaces': [
    'cozy-cert-manager',
    'cozy-dashboard',
    'cozy-keycloak',
    'cozy-system',
    'cozy-harbor',
    'cozy-bucket',
    'cozy-kubevirt',
    'cozy-kubevirt-cdi',
    'cozy-monitoring',
    'cozy-linstor-gui',
    'default',
  ],
};
