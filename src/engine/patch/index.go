package main

// index makes a build's time near-linear in the number of objects: upstream walks all objects, computing the id of each, for
// every object that is added and every patch that is applied.
var index = patch{
	name: "index",
	edits: []edit{
		{api, "resmap/reswrangler.go", "ids are looked up in an index; the walks stay as what the index is checked against and falls back to", []operation{
			field("resWrangler", "index idIndex"),
			remove("(*resWrangler).Clear"),
			remove("(*resWrangler).Append"),
			rename("(*resWrangler).append", "upstreamAppend"),
			rename("(*resWrangler).DropEmpties", "upstreamDropEmpties"),
			rename("(*resWrangler).Remove", "upstreamRemove"),
			rename("(*resWrangler).Replace", "upstreamReplace"),
			rename("(*resWrangler).Resources", "upstreamResources"),
			rename("(*resWrangler).GetByIndex", "upstreamGetByIndex"),
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
		{api, "internal/accumulator/resaccumulator.go", "every id of one map was compared with every id of the other", []operation{
			remove("(*ResAccumulator).Intersection"),
		}},
	},
	files: []file{
		{api, "resmap/index.go", "api/resmap/index.go", "the index"},
		{api, "internal/accumulator/intersection.go", "api/accumulator/intersection.go", "the same by a set"},
	},
}
