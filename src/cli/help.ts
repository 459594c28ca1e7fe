export const help = `customizer-lint: checks the repository from which a Cozystack cluster is customized

Usage
  customizer-lint [check] [DIR] [options]     render as Flux does, check, report
  customizer-lint fix [DIR] [options]         edit what can be corrected, show it, check again
  customizer-lint diff [DIR] [options]        what a merge does in the cluster: fields, their owners, what is deleted
  customizer-lint render [DIR] [options]      print what Flux would apply
  customizer-lint inventory [DIR]             print what Flux would record as applied: the ids of its inventory
  customizer-lint audit [DIR] --live FILE|- | --kubeconfig FILE
                                              who has taken which field of a cluster's Packages, and how to restore it
  customizer-lint explain KIND/NAME [FIELD]…  which lines made a field what it is, whose it is, what becomes of it
  customizer-lint graph [DIR] [options]       draw which Package waits for which
  customizer-lint rules [ID]                  print the table of rules, or the page of one
  customizer-lint snapshot FILE|-             make a snapshot of a cluster out of what kubectl prints

DIR is the root of the repository, by default the current directory.

Options of check
  --path P            a directory that Flux applies; may be repeated (default: found by itself)
  --base REF|DIR      what to compare with: the last commit shared with REF, or a directory
  --format F          text, json, sarif, github, markdown, gitlab or junit; may be repeated
                      (default: text)
  --output FILE       write the report there instead of to standard output
  --config FILE       the configuration (default: .customizer-lint.yaml)
  --release R         the release of Cozystack, e.g. v1.6.2
  --fail-on LEVEL     error, warning, notice or never: what makes the exit status 1 (default: error)
  --only-new          judge by new findings alone; needs --base
  --simulate          also find out what Flux will do: what is refused, and what it takes or loses of what others
                      have set
  --live FILE         what is in the clusters, for --simulate: kubectl get packages -o yaml --show-managed-fields
  --dry-run=SERVER    also ask an API server what it says, without writing anything: kind (a cluster that is
                      made for it), kind:NAME (one that is there), envtest (etcd and kube-apiserver in
                      KUBEBUILDER_ASSETS) or the path of a kubeconfig
  --keep-cluster      leave the cluster of kind to the next run
  --cluster NAME      which one to ask about, where the repository has several
  --context NAME      the context of the kubeconfig
  --max-seconds N     what rendering may take for the whole run (default: 40); the rest is an error, not rendered;
                      with --max-memory also of every other command that renders
  --max-memory N      the MiB of memory that the process may have while it renders (default: 896)
  --quiet, -q         findings only
  --no-color          no colour, even on a terminal

Options of fix
  --unsafe            also what could change what something else means: look at the difference
  --dry-run           write nothing
  --rule ID           what this rule finds, and nothing else; may be repeated
  --path P, --base REF|DIR, --config FILE, --release R, --fail-on LEVEL, --only-new, --quiet, --no-color
                      as above

Options of render
  --path P            as above
  --format F          yaml: exactly the bytes Flux hashes (default); json: the objects; digest: their SHA-256
  --provenance        with the file and line behind every value; as json, with everything that is known of it
  --as-applied        as Flux sends them to the API server, in its order: with the labels of their owner, built-in
                      kinds converted, without what it passes over; as yaml or json
  --cluster NAME      with --as-applied: only this one, where the repository has several
  --release R         with --as-applied: as above
  --output FILE       as above

Options of explain
  --directory, -C DIR the root of the repository
  --base REF|DIR      what is in the cluster already; without it the platform alone
  --live FILE         objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields
  --format F          text (default) or json
  --cluster NAME      only this one, where the repository has several
  --path P, --config FILE, --release R, --output FILE
                      as above
                      Of each field: whose it is by contract, who manages it before and after, what applying
                      it does, and, of the fields that are named, what taking them out again does.
                      Exit status: 0 done, 2 the work could not be done.

Options of graph
  --format F          dot (default), mermaid or json
  --installed, -i     only the Packages of the cluster, each in its variant there
  --components        also the components that make a HelmRelease
  --cluster NAME      which one, where the repository has several
  --path P, --config FILE, --release R, --output FILE
                      as above

Options of diff
  --base REF|DIR      what is in the cluster already; without it the platform alone
  --live FILE         objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields
  --fresh             onto a new cluster, which has seen nothing of the repository
  --format F          text (default), json or markdown
  --cluster NAME      only this one, where the repository has several
  --path P, --config FILE, --release R, --output FILE, --no-color
                      as above
                      Exit status: 0 nothing changes, 1 something does, 2 the work could not be done.

Options of audit
  --live FILE|-       the Packages: kubectl get packages.cozystack.io -o yaml --show-managed-fields
  --kubeconfig FILE   ask the cluster for them, which is only read; --context NAME for another than the current one
  --release R         the release of Cozystack; else the repository's configuration or the cluster says it
  --format F          text (default) or json
  --cluster NAME      which one, where the repository has several
  --path P, --config FILE, --output FILE, --no-color
                      as above; DIR need not be a repository
                      Exit status: 0 nothing is taken, 1 something is, or is about to be removed, 2 the work could
                      not be done.

Options of rules
  --format F          text, json, or schema: the JSON Schema of the configuration

Exit status: 0 nothing at or above the threshold, 1 findings, 2 the work could not be done.
`;
