/** Where each outcome that was seen on the real controller (src/simulate/FACTS.md) is tested, or why it is not. */

/** A test by its file below `__tests__` and its title as the file has it; or a fixture of a rule. */
export type Tested = { outcome: string } & ({ file: string; test: string } | { fixture: string } | { none: string });

const outcomes = 'simulate/outcomes.test.ts';
const released = 'simulate/released.test.ts';
const refused = 'simulate/refused.test.ts';
const build = 'render/refusals.test.ts';
const vanishes = '%s: what git does not have vanishes, and all is green';

export const table: { [section: string]: Tested[] } = {
  'R1 a partial manifest': [
    { outcome: 'kubectl apply, server-side apply and create are wiped, all green', file: outcomes, test: vanishes },
    { outcome: 'apply and then patch is wiped', file: outcomes, test: 'apply and patch, two entries: the same' },
    { outcome: 'other managers’ fields are kept', file: outcomes, test: 'but what %s has set is kept' },
    {
      outcome: 'of Helm’s Package the field that kubectl patched goes',
      file: outcomes,
      test: 'of a Package of Helm’s only the field that kubectl patched is deleted',
    },
    { outcome: 'on the Flux Kustomization it has no effect', fixture: 'kubectl-takeover/on-the-flux-kustomization' },
    { outcome: 'merge in lower case', file: outcomes, test: 'ssa: Merge keeps it: %s' },
    { outcome: 'on the live object alone', file: outcomes, test: 'as it does on the live object alone' },
    {
      outcome: 'Merge dropped wipes one interval later',
      file: outcomes,
      test: 'Merge that is dropped: the first reconcile removes the annotation, the second wipes',
    },
    {
      outcome: 'taken over though the set fails',
      file: outcomes,
      test: 'it is taken over even where the stage fails, so that the fix with Merge wipes',
    },
    { outcome: 'repair loop', file: outcomes, test: 'a repair by kubectl is wiped again, unless Merge comes first' },
    {
      outcome: 'a patch under Merge',
      file: outcomes,
      test: 'with Merge a patch of what git does not set survives, and of what it sets does not',
    },
  ],
  'R2 a manifest removed': [
    {
      outcome: 'PruneFailed, then Ready, all stays',
      file: outcomes,
      test: 'the Package may not be deleted: it fails once, is then forgotten, and stays as it is',
    },
    { outcome: 'prune: disabled', file: outcomes, test: 'prune: disabled passes it over without an error' },
    { outcome: 'with delete granted it is gone', file: outcomes, test: 'with the right to, it is deleted' },
    { outcome: 'deleting the Flux Kustomization hangs', fixture: 'unprotected-package/bad' },
  ],
  'a value released': [
    { outcome: 'other keys: the leaf disappears', file: outcomes, test: 'disappears where its map has other keys' },
    { outcome: 'the same value stays', file: outcomes, test: 'stays where it was the chart’s own' },
    {
      outcome: 'the last key: null',
      file: outcomes,
      test: 'leaves null in place of a map that has nothing left, after Helm’s %s',
    },
    {
      outcome: 'a map declared empty: null',
      file: released,
      test: 'a map that the chart declares empty, and git has added to, becomes null',
    },
    { outcome: 'right below values: 422, or {} after an Update', file: released, test: '%s right below the values' },
    {
      outcome: 'enabled and variant: 422',
      file: released,
      test: '%s, alone in its map, is refused when it is released',
    },
    {
      outcome: 'a variant that was all of an applied spec, and no spec in git: gone',
      file: released,
      test: 'a variant that was all of an applied spec goes with the spec',
    },
    {
      outcome: 'no spec, spec: {} and component: {} make no difference',
      file: released,
      test: 'however it is dropped',
    },
    {
      outcome: 'with the map kept: null, then {}',
      file: outcomes,
      test: 'with the map kept in git: null at first, {} only after the second reconcile',
    },
    { outcome: 'Helm’s next apply brings it back', file: released, test: 'Helm’s next apply does' },
  ],
  'null and {}': [
    {
      outcome: 'over and beside each kind of value, and a text for all',
      file: outcomes,
      test: 'null and {} in values',
    },
    { outcome: 'values, component, components and spec empty or null', file: released, test: '%s changes nothing' },
    { outcome: 'variant and enabled null: 422', file: outcomes, test: 'a null in place of %s is refused' },
    { outcome: 'an empty variant', file: outcomes, test: 'an empty variant is accepted' },
    {
      outcome: 'the shape of fieldsV1',
      file: released,
      test: 'who owns what: maps inside of values are marked, those above are not',
    },
  ],
  'R3, R5, R6, R26, R27 rights and places': [
    {
      outcome: 'a Package made, a Namespace, a ClusterRole, another namespace: nothing is applied',
      file: outcomes,
      test: 'what the account may not do stops everything',
    },
    { outcome: 'a prefix on a Package', fixture: 'unknown-package/prefix' },
    {
      outcome: 'an owned Namespace is applied and deleted',
      file: outcomes,
      test: 'the Namespace of an owned one is its own',
    },
    {
      outcome: 'a missing namespace, as cluster-admin: the dry run is told so',
      file: 'apiserver/status.test.ts',
      test: 'a namespace that is not there',
    },
    {
      outcome: 'a missing namespace, as cluster-admin, where the change has deleted it',
      file: 'end-to-end/diff.test.ts',
      test: 'with a namespace goes what is in it, and cannot be made again',
    },
    {
      outcome: 'no such kind',
      file: 'end-to-end/diff.test.ts',
      test: 'of a kind that nobody knows nothing is said but that',
    },
    { outcome: 'no such version', fixture: 'unserved-version/bad' },
    {
      outcome: 'the account by its name',
      file: refused,
      test: 'a service account without rights is told as whom it asks',
    },
    { outcome: 'an account that nobody made', fixture: 'unbound-service-account/bad' },
    {
      outcome: 'a Namespace with its object, as cluster-admin',
      file: refused,
      test: 'a Namespace and what is in it come in one commit, with the right to',
    },
    {
      outcome: 'one of five errors is shown',
      file: refused,
      test: 'of several any one is told, so all of them are known',
    },
    {
      outcome: 'no namespace, for the account',
      file: refused,
      test: 'without a namespace the account lacks the right at the cluster scope',
    },
    { outcome: 'no namespace, with the right', fixture: 'missing-namespace/bad' },
    {
      outcome: 'a namespace on a Package',
      file: refused,
      test: 'a namespace on a Package does no harm, and is not in the inventory',
    },
  ],
  'R33 SOPS': [
    { outcome: 'a Secret’s data and stringData', fixture: 'encrypted-without-decryption/kinds' },
    { outcome: 'a Package: .sops is not declared', file: refused, test: 'what SOPS adds' },
  ],
  'unknown fields and types': [
    { outcome: 'of a custom resource', file: refused, test: 'a custom resource that does not fit its schema' },
    {
      outcome: 'of two any',
      file: refused,
      test: 'of two unknown fields the server tells any, and here it is the first',
    },
    { outcome: 'status is ignored', file: refused, test: 'a status in git is passed over' },
    {
      outcome: 'all that is wrong with a PackageSource',
      file: refused,
      test: 'of a PackageSource all that is wrong is told',
    },
    { outcome: 'dropped of built-in kinds', file: refused, test: 'unknown fields are dropped without a word' },
    { outcome: 'policyType of a NetworkPolicy', fixture: 'schema-violation/bad' },
    { outcome: 'subject of a RoleBinding', file: refused, test: 'a binding of "subject" has no subjects' },
    { outcome: 'a Role is strict', file: refused, test: 'unknown fields of a Role are refused' },
    {
      outcome: 'so is what cannot be converted',
      file: refused,
      test: 'and those of what cannot be read as its type',
    },
    { outcome: 'a number in data', file: refused, test: 'a number in the data of a ConfigMap' },
    {
      outcome: 'containerPort 70000, a quantity that is none',
      fixture: 'refused-by-server/bad',
    },
    { outcome: 'a label that is no text', file: outcomes, test: 'one label that is no text drops all of them' },
    {
      outcome: 'an annotation that is none',
      file: 'schema/validate.test.ts',
      test: 'annotations become strings; labels that are none are a rule’s of its own',
    },
    { outcome: 'a port twice', file: refused, test: 'a port twice' },
    { outcome: 'a variable twice', file: refused, test: 'a variable twice' },
    { outcome: 'a port of a Service twice', file: refused, test: 'a port of a Service twice' },
    { outcome: '53/TCP and 53/UDP', file: refused, test: 'the same port with another protocol is fine' },
    { outcome: 'a key twice', file: build, test: 'a key twice' },
  ],
  'the build': [
    { outcome: 'resource: at the root prunes everything', fixture: 'pruned-everything/bad' },
    { outcome: 'a typo of patches', fixture: 'unknown-kustomization-field/bad' },
    { outcome: 'an empty file', fixture: 'pruned-everything/empty-file' },
    { outcome: 'a nested typo', file: build, test: 'a nested typo' },
    { outcome: 'YAML that is no manifest', file: build, test: 'a file that is no manifest' },
    { outcome: 'no name', file: build, test: 'a document without a name' },
    { outcome: 'hidden files are applied', fixture: 'missing-kustomization/hidden' },
    { outcome: 'a nested kustomization that is not listed', fixture: 'missing-kustomization/nested' },
    { outcome: 'a path that is not there', fixture: 'missing-path/bad' },
    { outcome: 'a Flux Kustomization as root', file: build, test: 'a Flux Kustomization as root' },
    { outcome: 'two root files', file: build, test: 'two kustomizations' },
    { outcome: 'resources: a text', file: build, test: 'a root of another type' },
    { outcome: 'a root that is broken', file: build, test: 'a root that is broken' },
    { outcome: 'an object twice', file: build, test: 'an object twice' },
    { outcome: 'a patch without its base', file: build, test: 'a patch without a base' },
    { outcome: 'a target that matches nothing', fixture: 'dead-patch/bad' },
    { outcome: 'outside of the repository', file: build, test: 'a path above' },
    { outcome: 'helmCharts', file: build, test: 'a Helm chart' },
    { outcome: 'a variable stays as it is', fixture: 'literal-variable/bad' },
    { outcome: 'the line in a later document', file: build, test: 'broken YAML in the second document' },
  ],
  others: [
    {
      outcome: 'force deletes what is invalid',
      file: outcomes,
      test: 'force on a PackageSource that is invalid deletes the live one',
    },
    { outcome: 'but not on a wrong type', file: outcomes, test: 'on a wrong type nothing is deleted' },
    {
      outcome: 'R18 variants are replaced whole',
      file: outcomes,
      test: 'the variants of a source are replaced whole; removed, the source is deleted',
    },
    {
      outcome: 'a second Flux Kustomization on a Package',
      file: outcomes,
      test: 'two Flux Kustomizations on one Package: the second removes what the first has set',
    },
    { outcome: 'IfNotPresent, Ignore', file: outcomes, test: 'ssa: %s on a Package that is there does nothing' },
    {
      outcome: 'a health check that fails: the patch is applied',
      file: outcomes,
      test: 'what is not Ready is patched all the same: its health is looked at afterwards',
    },
  ],
  'seen later': [
    {
      outcome: '1 one commit that enables and needs',
      file: 'end-to-end/diff.test.ts',
      test: 'what a commit itself enables is not there while it is applied',
    },
    {
      outcome: '2 {} dropped before a Helm upgrade',
      file: released,
      test: 'an empty map in git, dropped before that, makes null of the map above',
    },
    {
      outcome: '2 what works: the chart’s own value first',
      file: released,
      test: 'the chart’s own value in git until Helm has applied it again leaves nothing behind',
    },
    { outcome: '3 resources: twice', fixture: 'repeated-kustomization-field/bad' },
    { outcome: '4 resourceVersion, uid', file: outcomes, test: 'what was copied from a live object is refused: %j' },
    {
      outcome: '5 the platform’s sources are kept by a policy',
      file: outcomes,
      test: 'what the platform guards from being deleted nobody deletes: it fails once, is forgotten, and stays',
    },
    {
      outcome: '6 the customizer’s own source is deleted',
      file: refused,
      test: 'the customizer’s own GitRepository, once in git, is deleted with its manifest',
    },
    { outcome: '7 Merge as a label', file: outcomes, test: 'ssa: Merge keeps it: %s' },
    {
      outcome: '8 values and labels flip each time',
      file: refused,
      test: 'two Flux Kustomizations on one Package flip its values and labels each time',
    },
    {
      outcome: '9 only another value is missed',
      file: refused,
      test: 'what git sets as the chart does, and lets go, is not missed; another value is',
    },
    {
      outcome: '10 a right that goes holds for its own commit',
      file: 'end-to-end/diff.test.ts',
      test: 'a right that a commit takes away is missed one reconcile later',
    },
    { outcome: '11 aggregated roles are empty', none: 'that is a cluster of tests, not of a user' },
  ],
};
