/** What only a folder can do that a Flux Kustomization applies: variables, and what that object says of the build. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../src/core/model.js';
import { lookUp } from '../../../../src/core/object.js';
import { shown, withField } from '../harms.js';
import {
  calm,
  type Delivery,
  isMergeable,
  isText,
  merge,
  nameOf,
  operations,
  resource,
  selectorOfName,
} from './common.js';

export const ofFlux: Record<string, Delivery> = {
  'value as a variable': {
    needsFlux: true,
    fits: isText,
    deliver(folder, target, active) {
      const text = String(target.value);
      const ways: Record<string, [string, { [name: string]: string }]> = {
        inline: [`\${EVIL}`, { EVIL: text }],
        default: [`\${EVIL:=${text}}`, { OTHER: 'x' }],
        'another default': [`\${EVIL:-${text}}`, { OTHER: 'x' }],
        'nested default': [`\${A:=\${B:=${text}}}`, { OTHER: 'x' }],
        'part of a text': [`${text.slice(0, 2)}\${EVIL}`, { EVIL: text.slice(2) }],
        'cut out': [`\${EVIL:2:${text.length}}`, { EVIL: `xx${text}yy` }],
        replaced: [`\${EVIL/QQ/}`, { EVIL: `${text.slice(0, 1)}QQ${text.slice(1)}` }],
        'lower case': [`\${EVIL,,}`, { EVIL: text.toUpperCase() }],
        trimmed: [`\${EVIL#zz}`, { EVIL: `zz${text}` }],
        'a line break in it': [`\${EVIL}`, { EVIL: `${text.slice(0, 1)}\n${text.slice(1)}` }],
        'two variables': [`\${A}\${B}`, { A: text.slice(0, 1), B: text.slice(1) }],
      };
      const way = folder.fork().pick(Object.keys(ways));
      const [spelled, variables] = ways[way] as [string, { [name: string]: string }];
      folder.label('substitution', way);
      resource(folder, active ? withField(target.object, target.field, spelled) : shown(target, false));
      Object.assign(folder.flux.variables, variables);
    },
  },
  'key as a variable': {
    needsFlux: true,
    fits: ({ field }) => field.length > 1,
    deliver(folder, target, active) {
      const at = folder.fork().below(2) === 0 ? target.field.length - 1 : 0;
      const step = String(target.field[at]);
      const field = target.field.map((one, index) => (index === at ? `\${KEY}` : one));
      folder.label('substitution', at === 0 ? 'first key' : 'last key');
      const { [step]: below, ...rest } = target.object;
      const object = at === 0 ? withField(rest, [`\${KEY}`], below as Json) : target.object;
      resource(folder, active ? withField(object, field, target.value) : shown(target, false));
      folder.flux.variables.KEY = step;
    },
  },
  'name as a variable': {
    needsFlux: true,
    deliver(folder, target, active) {
      const part = folder.fork().pick(['name', 'kind', 'apiVersion']);
      folder.label('substitution', part);
      const field = part === 'name' ? ['metadata', 'name'] : [part];
      const before = String(lookUp(target.object, field));
      const cut = folder.fork().pick([0, before.length >> 1]);
      resource(folder, withField(shown(target, active), field, `${before.slice(0, cut)}\${ID}`));
      folder.flux.variables.ID = before.slice(cut);
    },
  },
  'text as a variable': {
    needsFlux: true,
    fits: isText,
    deliver(folder, target, active) {
      // A variable may hold a whole map in flow style: substitution works on the text.
      const [last] = target.field.slice(-1);
      const parent = target.field.slice(0, -1);
      if (parent.length === 0 || parent[0] === 'metadata') return resource(folder, shown(target, active));
      const there = (lookUp(target.object, parent.map(String)) as JsonObject | undefined) ?? {};
      const map = {
        ...there,
        ...(active ? { [String(last)]: target.value } : target.decoy !== undefined && { [String(last)]: target.decoy }),
      };
      resource(folder, withField(target.object, parent, `\${MAP}`));
      folder.flux.variables.MAP = JSON.stringify(map);
    },
  },
  'patch of the Flux object': {
    needsFlux: true,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      const isJson = !isMergeable(target) || folder.fork().chance(0.5);
      const patch: JsonObject = isJson
        ? { patch: JSON.stringify(operations(target, active, folder.fork())), target: selectorOfName(target) }
        : { patch: stringify(merge(target, active)) };
      folder.flux.spec.patches = [patch];
    },
  },
  'component of the Flux object': {
    needsFlux: true,
    fits: isMergeable,
    deliver(folder, target, active) {
      resource(folder, calm(target));
      folder.named(
        '../fluxcomponent/kustomization.yaml',
        stringify({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches: [{ path: 'p' }] }),
      );
      folder.named('../fluxcomponent/p', stringify(merge(target, active)));
      folder.flux.spec.components = ['../fluxcomponent'];
    },
  },
  'name prefix of the Flux object': {
    needsFlux: true,
    fits: isMergeable,
    deliver(folder, target, active) {
      const name = nameOf(target.object);
      resource(folder, withField(shown(target, active), ['metadata', 'name'], name.slice(4)));
      folder.flux.spec.namePrefix = name.slice(0, 4);
    },
  },
  'target namespace': {
    needsFlux: true,
    fits: ({ field }) => field[1] === 'namespace',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      folder.flux.spec.targetNamespace = (active ? target.value : target.decoy) as Json;
    },
  },
  'common metadata': {
    needsFlux: true,
    fits: ({ field }) => field[1] === 'annotations',
    deliver(folder, target, active) {
      resource(folder, shown(target, false));
      const annotations: JsonObject = active ? { [String(target.field[2])]: target.value } : { other: 'x' };
      folder.flux.spec.commonMetadata = { annotations };
    },
  },
};
