package main

// trace records where every node was read from, what each step did to the objects, and where a build failed.
var trace = patch{
	name: "trace",
	edits: []edit{
		{yaml3, "yaml.go", "a node remembers the document it was read from and the value it was read with, to notice when it is changed in place", []operation{
			field("Node", "Source, Mark int32 `json:\"-\"`; Was string `json:\"-\"`; Lost *Loss `json:\"-\"`"), // kustomize hashes a node's JSON
		}},
		{yaml3, "decode.go", "marks the nodes while a document of a known file is parsed", []operation{
			before("(*parser).node", "n.Line = p.event.start_mark.line + 1", "if CurrentSource != 0 { n.Source, n.Was = CurrentSource, value }"),
			before("(*parser).alias", "n := p.node(AliasNode", "Aliases++"),
		}},
		{kyaml, "kio/byteio_reader.go", "tells which document is being read", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			rename("FromBytes", "upstreamFromBytes"),
			before("(*ByteReader).Read", "if i != len(values)-1 {", "trace.Document(i, values[i])"),
		}},
		{kyaml, "yaml/rnode.go", "labels and annotations are written anew for one changed entry, a whole object to apply JSON to it", []operation{
			before("(*RNode).setMapInMetadata", "if err = meta.PipeE(Clear(field)); err != nil {", "defer keepMap(meta.YNode(), field)()"),
			swap("(*RNode).UnmarshalJSON", "rn.value = r.value", "rn.replaceRoot(r.value)"),
		}},
		{kyaml, "yaml/walk/map.go", "a field that a patch adds gets a new key", []operation{
			after("(Walker).walkMap", "_, err = dest.Pipe(fieldSetter)", "yaml.KeepKey(dest, key, l.Sources)"),
		}},
		{api, "resource/resource.go", "a patch may not change what names an object, so kustomize writes it back", []operation{
			before("(*Resource).ApplySmPatch", "n, ns, k := r.GetName(), r.GetNamespace(), r.GetKind()", "defer r.KeepIdentity()()"),
		}},
		{api, "internal/loader/fileloader.go", "tells which file a content is of, and what could not be followed", []operation{
			rename("(*FileLoader).Load", "upstreamLoad"),
			rename("(*FileLoader).New", "upstreamNew"),
		}},
		{api, "internal/target/kusttarget.go", "tells which entry of which kustomization is at work", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			field("KustTarget", "written written; configured map[builtinhelpers.BuiltinPluginType]int"),
			rename("(*KustTarget).Load", "upstreamLoad"),
			before("(*KustTarget).Load", "k.FixKustomization()", "kt.written = countWritten(&k)"),
			rename("(*KustTarget).accumulateTarget", "upstreamAccumulateTarget"),
			before("(*KustTarget).accumulateTarget", "tConfig, err := builtinconfig", `depth := trace.Enter(kt.place("configurations", -1))`),
			before("(*KustTarget).accumulateTarget", "crdTc, err := accumulator", `trace.Leave(depth); trace.Enter(kt.place("crds", -1))`),
			before("(*KustTarget).accumulateTarget", "err = kt.runGenerators(ra)", "trace.Leave(depth)"),
			before("(*KustTarget).accumulateTarget", "err = ra.MergeVars(kt.kustomization.Vars)", `trace.Enter(kt.place("vars", -1))`),
			before("(*KustTarget).makeCustomizedResMap", "err = kt.addHashesToNames(ra)", `trace.Enter(kt.place("", -1))`),
			swap("(*KustTarget).runGenerators", "for i, g := range generators {", "depth := trace.Depth(); for i, g := range generators { trace.Leave(depth); kt.enterPlugin(g.Generator);"),
			swap("(*KustTarget).runGenerators", "return nil\n}", "trace.Leave(depth); return nil\n}"),
			swap("(*KustTarget).accumulateResources", "for _, path := range paths {", "depth := trace.Depth(); for i, path := range paths { trace.Leave(depth); kt.enterPath(paths, i);"),
			before("(*KustTarget).accumulateResources", "return ra, nil", "trace.Leave(depth)"),
			swap("(*KustTarget).accumulateComponents", "for _, path := range paths {", "depth := trace.Depth(); for i, path := range paths { trace.Leave(depth); kt.enterPath(paths, i);"),
			before("(*KustTarget).accumulateComponents", "return ra, nil", "trace.Leave(depth)"),
			rename("(*KustTarget).accumulateFile", "upstreamAccumulateFile"),
			rename("(*KustTarget).configureBuiltinPlugin", "upstreamConfigureBuiltinPlugin"),
		}},
		{api, "internal/target/multitransformer.go", "every transformer is a step", []operation{
			swap("(*multiTransformer).Transform", "t.Transform(m)", "transform(t, m)"),
		}},
		{api, "internal/builtins/PatchTransformer.go", "tells the text of a patch and the objects it selects", []operation{
			before("(*PatchTransformerPlugin).Config", "p.Patch = strings.TrimSpace(p.Patch)", "written, file := p.Patch, []byte(nil)"),
			before("(*PatchTransformerPlugin).Config", "p.patchText = string(loaded)", "file = loaded"),
			swap("(*PatchTransformerPlugin).Config", "patchesSM, errSM := h.ResmapFactory().RF().SliceFromBytes([]byte(p.patchText))",
				"text := []byte(p.patchText); tell(p, \"patch\", text, file, written); patchesSM, errSM := h.ResmapFactory().RF().SliceFromBytes(text)"),
			before("(*PatchTransformerPlugin).transformStrategicMerge", "return errors.Wrap(m.ApplySmPatch(", "touch(selected...)"),
			before("(*PatchTransformerPlugin).transformStrategicMerge", "if err := target.ApplySmPatch(patch)", "touch(target)"),
			before("(*PatchTransformerPlugin).transformJson6902", "for _, res := range resources {", "touch(resources...)"),
		}},
		{api, "internal/builtins/PatchJson6902Transformer.go", "tells the objects it selects", []operation{
			before("(*PatchJson6902TransformerPlugin).Transform", "for _, res := range resources {", "touch(resources...)"),
		}},
		{api, "internal/builtins/PatchStrategicMergeTransformer.go", "tells the object it selects and the entry it reads", []operation{
			before("(*PatchStrategicMergeTransformerPlugin).Transform", "if err = m.ApplySmPatch(", "touch(target)"),
			swap("loadFromPaths", "for _, path := range paths {", "for i, path := range paths { enterItem(i); text := []byte(path); tell(nil, \"paths\", text, nil, string(path));"),
			swap("loadFromPaths", "SliceFromBytes([]byte(path))", "SliceFromBytes(text)"),
		}},
		{api, "internal/builtins/ReplacementTransformer.go", "an entry may be a file that holds several replacements", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			before("(*ReplacementTransformerPlugin).Config", `if r.Path != "" && (r.Source`, "trace.Entry(p, len(p.replacements))"),
		}},
		{api, "filters/replacement/replacement.go", "every replacement is a step; a copied node stands where nobody wrote it", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			before("(Filter).Filter", "if (r.SourceValue == nil", `trace.End(); trace.BeginEntry("replacement", i)`),
			before("applyReplacement", "err := copyValueToTarget(", "trace.Touch(possibleTarget)"),
		}},
		{api, "internal/plugins/loader/loader.go", "says that a plugin is to blame", []operation{
			imports("sigs.k8s.io/kustomize/kyaml/trace"),
			before("(*Loader).loadAndConfigurePlugin", "err = types.NewErrOnlyBuiltinPluginsAllowed(res.OrgId().Kind)", "trace.RefusePlugin()"),
			before("(*Loader).loadPlugin", "return nil, types.NewErrOnly", "trace.RefusePlugin()"),
			before("(*Loader).loadExecOrGoPlugin", "return nil, types.NewErrOnly", "trace.RefusePlugin()"),
		}},
	},
	files: []file{
		add(yaml3, "source.go", "what nodes are marked with"),
		add(kyaml, "trace/trace.go", "the record of a build: sources and the place of a failure"),
		add(kyaml, "trace/steps.go", "the record of a build: steps"),
		add(kyaml, "trace/limits.go", "the bounds of a build"),
		add(kyaml, "kio/trace.go", "wraps FromBytes"),
		add(kyaml, "yaml/origin.go", "keeps the place of what is written back unchanged"),
		add(api, "internal/loader/trace.go", "wraps Load and New"),
		add(api, "internal/target/trace.go", "wraps what works on an entry"),
		add(api, "internal/builtins/trace.go", "tells the objects that a patch is about to change"),
	},
}
