package main

// writers records for every node who wrote it. What counts is in kyaml/writers.
var writers = patch{
	name: "writers",
	edits: []edit{
		{kyaml, "yaml/fns.go", "nearly all that sets a field does it here", []operation{
			swap("(FieldSetter).Filter", "rn.SetYNode(s.Value.YNode())", "overwrite(rn, s.Value)"),
			swap("(FieldSetter).Filter", "field.SetYNode(s.Value.YNode())", "overwrite(field, s.Value)"),
			before("(FieldSetter).Filter", "return s.Value, nil", "created(rn, s.Value)"),
		}},
		{kyaml, "yaml/walk/map.go", "tells which field a patch takes", []operation{
			before("(Walker).walkMap", "_, err = dest.Pipe(fieldSetter)", "lose(dest, key, val, fv)"),
		}},
		{kyaml, "yaml/walk/associative_sequence.go", "a list that is merged becomes a new one", []operation{
			rename("(*Walker).setAssociativeSequenceElements", "upstreamSetAssociativeSequenceElements"),
		}},
		{kyaml, "yaml/merge2/merge2.go", "tells what a patch writes over", []operation{
			before("(Merger).VisitScalar", "return nodes.Origin(), nil", "over(nodes)"),
			swap("(Merger).VisitMap", "case smpReplace:\n", "case smpReplace: replace(nodes)\n"),
			swap("(Merger).VisitList", "if nodes.Origin() != nil {\n", "if nodes.Origin() != nil { replace(nodes)\n"),
			swap("(Merger).VisitList", "case smpReplace:\n", "case smpReplace: replace(nodes)\n"),
		}},
		{kyaml, "yaml/merge2/smpdirective.go", "a directive is taken off the patch when it was read", []operation{
			before("determineSequenceNodePatchStrategy", "v := value.YNode().Value", "direct(patch, value)"),
			before("determineMappingNodePatchStrategy", "v := node.YNode().Value", "direct(patch, node)"),
		}},
		{api, "resource/factory.go", "the items of a list go through JSON and lose who wrote them", []operation{
			before("(*Factory).inlineAnyEmbeddedLists", "nodes = append(nodes, innerNodes...)", "tellItems(n0, innerNodes)"),
		}},
		{api, "resmap/reswrangler.go", "the identity of a patch is written back unchanged", []operation{
			before("(*resWrangler).upstreamApplySmPatch", "patchCopy.CopyMergeMetaDataFieldsFrom(patch)", "restore := patchCopy.KeepIdentity()"),
			after("(*resWrangler).upstreamApplySmPatch", "patchCopy.SetKind(patch.GetKind())", "restore()"),
		}},
		{api, "internal/builtins/PatchTransformer.go", "the texts that it reads are patches", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(*PatchTransformerPlugin).Config", "if err := yaml.Unmarshal(c, p)", "defer trace.Reading(writers.MergePatch)()"),
		}},
		{api, "internal/builtins/PatchStrategicMergeTransformer.go", "the texts that it reads are patches", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(*PatchStrategicMergeTransformerPlugin).Config", "err = yaml.Unmarshal(c, p)", "defer trace.Reading(writers.MergePatch)()"),
		}},
		{api, "internal/builtins/PatchJson6902Transformer.go", "tells the text of the patch", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			before("(*PatchJson6902TransformerPlugin).Config", "p.JsonOp = string(rawOp)", "trace.Patch(p, rawOp)"),
			before("(*PatchJson6902TransformerPlugin).Config", "if p.JsonOp[0] != '[' {", "tellOperations(p)"),
		}},
		{api, "filters/patchjson6902/patchjson6902.go", "the object goes through JSON and loses who wrote it", []operation{
			swap("(Filter).run", "err = node.UnmarshalJSON(res)", "err = unmarshal(node, res)"),
		}},
		{api, "filters/fieldspec/fieldspec.go", "the transformers that name fields by specifications sign them", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(Filter).Filter", "fltr.path = utils.PathSplitter(", "defer writers.Activate()()"),
		}},
		{api, "internal/builtins/NamespaceTransformer.go", "signs what it sets", []operation{
			before("(*NamespaceTransformerPlugin).Transform", "for _, r := range m.Resources() {", `defer sign(p, false, nil, []any{"metadata", "namespace"})()`),
		}},
		{api, "filters/namespace/namespace.go", "signs what it sets without a specification", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(Filter).roleBindingHack", "obj, err := obj.Pipe(yaml.Lookup(subjectsField))", "defer writers.Activate()()"),
		}},
		{api, "internal/builtins/PrefixTransformer.go", "signs what it sets", []operation{
			before("(*PrefixTransformerPlugin).Transform", "for _, r := range m.Resources() {", `defer sign(p, true, nil, []any{"prefix"})()`),
		}},
		{api, "internal/builtins/SuffixTransformer.go", "signs what it sets", []operation{
			before("(*SuffixTransformerPlugin).Transform", "for _, r := range m.Resources() {", `defer sign(p, true, nil, []any{"suffix"})()`),
		}},
		{api, "internal/builtins/LabelTransformer.go", "signs what it sets", []operation{
			before("(*LabelTransformerPlugin).Transform", "return m.ApplyFilter(", `defer signEach(p, p.Labels, "labels")()`),
		}},
		{api, "filters/labels/labels.go", "every label has a place of its own", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(Filter).Filter", "if err := node.PipeE(", "writers.Choose(k)"),
		}},
		{api, "internal/builtins/AnnotationsTransformer.go", "signs what it sets", []operation{
			before("(*AnnotationsTransformerPlugin).Transform", "return m.ApplyFilter(", `defer signEach(p, p.Annotations, "annotations")()`),
		}},
		{api, "filters/annotations/annotations.go", "every annotation has a place of its own", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(Filter).Filter", "if err := node.PipeE(", "writers.Choose(k)"),
		}},
		{api, "internal/builtins/ReplicaCountTransformer.go", "signs what it sets", []operation{
			before("(*ReplicaCountTransformerPlugin).Transform", "found := false", `defer sign(p, false, []any{"count"}, []any{"replica", "count"})()`),
		}},
		{api, "filters/imagetag/updater.go", "an image is made of parts", []operation{
			swap("(imageTagUpdater).SetImageValue", "return u.trackableSetter.SetScalar(name)(rn)", "return u.set(rn, name)"),
		}},
		{api, "internal/builtins/ValueAddTransformer.go", "signs what it sets", []operation{
			swap("(*ValueAddTransformerPlugin).Transform", "for _, t := range p.Targets {", `for _, t := range p.Targets { defer sign(p, t.FilePathPosition > 0, nil, []any{"value"})();`),
		}},
		{api, "filters/valueadd/valueadd.go", "signs what it sets without a specification", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			before("(Filter).Filter", "n, err := node.Pipe(yaml.LookupCreate(", "defer writers.Activate()()"),
		}},
		{api, "internal/plugins/loader/loader.go", "tells the document that a plugin is configured by", []operation{
			before("(*Loader).loadAndConfigurePlugin", "err = c.Config(", "trace.ConfiguredBy(c, res.YNode())"),
		}},
		{api, "internal/target/kusttarget.go", "tells the plugin whose objects are generated, and the documents that stand in an entry", []operation{
			swap("(*KustTarget).configureExternalGenerators", "for _, p := range kt.kustomization.Generators {", "for i, p := range kt.kustomization.Generators {"),
			swap("(*KustTarget).configureExternalGenerators", "NewResMapFromBytes([]byte(p))", "NewResMapFromBytes(kt.inline(kt.kustomization.Generators, i))"),
			swap("(*KustTarget).configureExternalTransformers", "for _, p := range transformers {", "for i, p := range transformers {"),
			swap("(*KustTarget).configureExternalTransformers", "NewResMapFromBytes([]byte(p))", "NewResMapFromBytes(kt.inline(transformers, i))"),
			before("(*KustTarget).runGenerators", "if resMap != nil {", "kt.signGenerated(g.Generator, resMap)"),
		}},
		{api, "internal/builtins/HashTransformer.go", "signs the names that it sets", []operation{
			after("(*HashTransformerPlugin).Transform", "res.StorePreviousId()", "end := signHash(res)"),
			after("(*HashTransformerPlugin).Transform", `res.SetName(fmt.Sprintf("%s-%s", res.GetName(), h))`, "end()"),
		}},
		{api, "filters/nameref/nameref.go", "signs the references that it sets", []operation{
			before("(Filter).setMapping", "if err = node.PipeE(yaml.FieldSetter{", `defer refer(referral, "name")()`),
			before("(Filter).setMapping", "return node.PipeE(yaml.FieldSetter{", `defer refer(referral, "namespace")()`),
			before("(Filter).setScalar", "return node.PipeE(yaml.FieldSetter{", `defer refer(referral, "name")()`),
		}},
		{api, "filters/replacement/replacement.go", "signs what it sets and creates", []operation{
			swap("(Filter).Filter", "value, err := getReplacement(", "end := begin(i); value, err := getReplacement("),
			after("(Filter).Filter", "nodes, err = applyReplacement(nodes, value, r.Targets)", "end()"),
			before("getReplacement", "return getRefinedValue(", "from(rn, r.Source.Options)"),
			after("setFieldValue", "value = value.Copy()", "defer signTarget(targetField, options)()"),
			swap("setValueInStructuredData", "scalarField.YNode().Value = serializedData", "setText(scalarField.YNode(), serializedData)"),
		}},
		{api, "filters/refvar/refvar.go", "signs what it sets", []operation{
			swap("(Filter).setScalar", "updateNodeValue(node.YNode(), v)", "f.update(node.YNode(), v)"),
			swap("(Filter).setMap", "updateNodeValue(contents[i+1], newValue)", "f.update(contents[i+1], newValue)"),
			swap("(Filter).setSeq", "updateNodeValue(item, newValue)", "f.update(item, newValue)"),
		}},
		{api, "internal/accumulator/resaccumulator.go", "tells where variables are from", []operation{
			swap("(*ResAccumulator).MergeVars", "for _, v := range incoming {", "tellVars(incoming); for _, v := range incoming {"),
			before("(*ResAccumulator).findVarValueFromResources", "s, err := res.GetFieldValue(", "tellVar(v, res)"),
		}},
	},
	files: []file{
		add(kyaml, "writers/doc.go", "the record of who wrote what"),
		add(kyaml, "writers/writers.go", "the record of who wrote what: nodes"),
		add(kyaml, "writers/fields.go", "the record of who wrote what: fields that are set"),
		add(kyaml, "writers/image.go", "the record of who wrote what: images"),
		add(kyaml, "writers/json.go", "the record of who wrote what: JSON patches"),
		add(kyaml, "trace/patches.go", "reads JSON patches with their places"),
		add(api, "internal/builtins/writers.go", "lets plugins sign what they set"),
		add(api, "internal/target/writers.go", "tells who wrote the nodes of generated objects"),
		add(api, "resource/writers.go", "tells who wrote the items of a list"),
		add(api, "resmap/writers.go", "tells whose the nodes of two merged objects are"),
		add(api, "filters/replacement/writers.go", "tells what a replaced value is made of"),
		add(api, "filters/refvar/writers.go", "tells what a value with variables is made of"),
		add(api, "internal/accumulator/writers.go", "tells where variables are from"),
		add(api, "filters/nameref/writers.go", "lets references be signed"),
		add(api, "filters/imagetag/writers.go", "tells what an image is made of"),
		add(api, "filters/patchjson6902/writers.go", "tells who wrote what of a patched object"),
		add(kyaml, "trace/arguments.go", "where the arguments of a plugin stand"),
		add(kyaml, "yaml/walk/writers.go", "what a patch takes from maps and lists"),
		add(kyaml, "yaml/merge2/writers.go", "what a patch writes over"),
	},
}
