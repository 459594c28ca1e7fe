package main

// index makes a build's time near-linear in the number of objects: upstream walks all objects, computing the id of each, for
// every object that is added, every patch that is applied and every reference that is fixed.
var index = patch{
	name: "index",
	edits: []edit{
		{api, "resmap/reswrangler.go", "ids are looked up in an index; the walks stay as what the index is checked against and falls back to", []operation{
			field("resWrangler", "index idIndex"),
			remove("(*resWrangler).Clear"),
			remove("(*resWrangler).Append"),
			rename("(*resWrangler).append", "upstreamAppend"),
			rename("(*resWrangler).AppendAll", "upstreamAppendAll"),
			rename("(*resWrangler).DropEmpties", "upstreamDropEmpties"),
			rename("(*resWrangler).Remove", "upstreamRemove"),
			rename("(*resWrangler).Replace", "upstreamReplace"),
			rename("(*resWrangler).Resources", "upstreamResources"),
			rename("(*resWrangler).GetByIndex", "upstreamGetByIndex"),
			rename("(*resWrangler).GetIndexOfCurrentId", "upstreamGetIndexOfCurrentId"),
			rename("(*resWrangler).GetMatchingResourcesByCurrentId", "upstreamGetMatchingResourcesByCurrentId"),
			rename("(*resWrangler).GetMatchingResourcesByAnyId", "upstreamGetMatchingResourcesByAnyId"),
			rename("(*resWrangler).GetByCurrentId", "upstreamGetByCurrentId"),
			rename("(*resWrangler).GetById", "upstreamGetById"),
			rename("(*resWrangler).appendReplaceOrMerge", "upstreamAppendReplaceOrMerge"),
			rename("(*resWrangler).groupedByCurrentNamespace", "upstreamGroupedByCurrentNamespace"),
			rename("(*resWrangler).groupedByOriginalNamespace", "upstreamGroupedByOriginalNamespace"),
			rename("(*resWrangler).makeCopy", "upstreamMakeCopy"),
			rename("(*resWrangler).SubsetThatCouldBeReferencedByResource", "upstreamSubset"),
			rename("(*resWrangler).Select", "upstreamSelect"),
			rename("(*resWrangler).ApplySmPatch", "upstreamApplySmPatch"),
			rename("(*resWrangler).ApplyFilter", "upstreamApplyFilter"),
			rename("(*resWrangler).DeAnchor", "upstreamDeAnchor"),
		}},
		{api, "resource/idset.go", "a patch goes to the selected resources without a walk to find them", []operation{
			field("IdSet", "members []*Resource"),
			swap("MakeIdSet", "&IdSet{ids: set}", "&IdSet{ids: set, members: slice}"),
		}},
		{api, "internal/accumulator/resaccumulator.go", "every id of one map was compared with every id of the other", []operation{
			remove("(*ResAccumulator).Intersection"),
		}},
		{api, "internal/accumulator/namereferencetransformer.go", "candidates are found by name; referrers have an order, so that the first failure is the same each time", []operation{
			remove("(*nameReferenceTransformer).Transform"),
		}},
		{api, "filters/nameref/nameref.go", "candidates are found by name", []operation{
			field("Filter", "Candidates *Candidates"),
			swap("(Filter).setScalar", "f.ReferralCandidates.Resources()", "f.candidates(node.YNode().Value)"),
			swap("(Filter).setMapping", "f.filterMapCandidatesByNamespace(node)", "f.candidatesIn(node, nameNode.YNode().Value)"),
		}},
		{api, "internal/builtins/NamespaceTransformer.go", "the search for a conflict went through all ids for every object", []operation{
			swap("(*NamespaceTransformerPlugin).Transform", "m.GetMatchingResourcesByCurrentId(r.CurId().Equals)", "matching(m, r)"),
		}},
		{api, "internal/target/kusttarget.go", "all objects were copied to look at an annotation", []operation{
			rename("(*KustTarget).IgnoreLocal", "upstreamIgnoreLocal"),
		}},
		{api, "internal/plugins/builtinconfig/transformerconfig.go", "the same configurations are merged for every directory", []operation{
			rename("(*TransformerConfig).Merge", "upstreamMerge"),
			swap("MakeTransformerConfig", "return t1, nil", "return defaultConfig, nil"),
		}},
		{kyaml, "openapi/openapi.go", "a schema of the user's may change which objects have a namespace, and with it their ids", []operation{
			before("ResetOpenAPI", "globalSchema = openapiData{}", "Changes++"),
			before("SetSchema", "customSchema = schema", "Changes++"),
			before("SetSchema", "kubernetesOpenAPIVersion = version", "Changes++"),
		}},
		{kyaml, "yaml/rnode.go", "what would come out as it went in is not written anew", []operation{
			swap("deAnchor", "toMerge, err := removeMergeTags(yn)", "if plainKeys(yn) { return deAnchorContent(yn) }; toMerge, err := removeMergeTags(yn)"),
			before("(*RNode).setMapInMetadata", "meta, err := rn.Pipe(", "if rn.hasMap(m, field) { return nil }"),
		}},
		{kyaml, "kio/byteio_reader.go", "the expression was compiled for every file", []operation{
			swap("splitDocuments", "yamlSeparatorRegexp := regexp.MustCompile(`\\n---.*\\n`)", "yamlSeparatorRegexp := separator"),
			unimport("regexp"),
		}},
	},
	files: []file{
		add(api, "resmap/index.go", "the index"),
		add(api, "resmap/wrangler.go", "the methods that keep and ask it"),
		add(api, "resmap/rolebinding.go", "opens a function to another package"),
		add(api, "resmap/checked.go", "compares every answer, for the tests"),
		add(api, "resmap/unchecked.go", "does not"),
		add(api, "resource/members.go", "what a set was made of"),
		add(api, "internal/accumulator/accumulator.go", "Intersection by a set"),
		add(api, "internal/accumulator/namereference.go", "goes through the referrers with an index"),
		add(api, "filters/nameref/index.go", "the index of names"),
		add(api, "internal/builtins/matching.go", "asks the index"),
		add(api, "internal/target/local.go", "looks without a copy"),
		add(api, "internal/plugins/builtinconfig/merge.go", "merges the same two once"),
		add(kyaml, "yaml/plain.go", "tells what would come out as it went in"),
		add(kyaml, "openapi/changes.go", "counts changes of the schema"),
		add(kyaml, "kio/separator.go", "the expression"),
	},
}
