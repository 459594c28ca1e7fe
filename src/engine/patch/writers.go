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
		{api, "filters/replacement/replacement.go", "a copied node stands where nobody wrote it", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/writers"),
			after("setFieldValue", "value = value.Copy()", "writers.Forget(value.YNode())"),
		}},
	},
	files: []file{
		add(kyaml, "writers/doc.go", "the record of who wrote what"),
		add(kyaml, "writers/writers.go", "the record of who wrote what: nodes"),
		add(kyaml, "writers/fields.go", "the record of who wrote what: fields that are set"),
		add(kyaml, "trace/arguments.go", "where the arguments of a plugin stand"),
		add(kyaml, "yaml/walk/writers.go", "what a patch takes from maps and lists"),
		add(kyaml, "yaml/merge2/writers.go", "what a patch writes over"),
	},
}
