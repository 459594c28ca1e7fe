/** What a release is made of, as CycloneDX 1.6: the npm packages in its bundles, and the Go modules in its engines. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import { sha256 } from '../checksums.mjs';
import { linkedModules } from './golang.mjs';
import { bundledPackages } from './npm.mjs';

const prefix = 'customizer-lint';
const { ComponentType } = Enums;

/**
 * The document, the same for the same checkout and `time` (of the commit): its serial number is made of what it says.
 *
 * @param {string} root of a checkout
 * @param {Date} time
 */
export async function sbomOf(root, time) {
  const bom = new Models.Bom();
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = component(ComponentType.Application, name, version, {
    description,
    purl: npmUrl(name, version),
    licenses: licensesOf(license),
  });
  bom.metadata = new Models.Metadata({ component: own, timestamp: time, tools: toolsOf() });
  for (const one of await npmComponents(root)) {
    bom.components.add(one);
    own.dependencies.add(one.bomRef);
  }
  for (const { engine, modules } of engineComponents(root)) {
    bom.components.add(engine);
    own.dependencies.add(engine.bomRef);
    for (const module of modules) {
      bom.components.add(module);
      engine.dependencies.add(module.bomRef);
    }
  }
  const text = serialized(bom);
  bom.serialNumber = `urn:uuid:${uuidOf(text)}`;
  return serialized(bom);
}

function serialized(bom) {
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** A UUID of version 8 (RFC 9562), which leaves to us what it is made of. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function toolsOf() {
  const library = createRequire(import.meta.url)('@cyclonedx/cyclonedx-library/package.json');
  const tool = new Models.Component(ComponentType.Library, 'cyclonedx-library', {
    group: '@cyclonedx',
    version: library.version,
  });
  return new Models.Tools({ components: new Models.ComponentRepository([tool]) });
}

/** Its address is its package URL, which is also how others refer to it. */
function component(type, name, version, { purl, ...more }) {
  return new Models.Component(type, name, { version, purl, bomRef: purl, ...more });
}

async function npmComponents(root) {
  const packages = await bundledPackages(root);
  const made = new Map(
    packages.map(({ name, version, integrity, license, bundles }) => [
      `${name}@${version}`,
      component(ComponentType.Library, name, version, {
        purl: npmUrl(name, version),
        licenses: licensesOf(license),
        hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], hexOf(integrity)]]),
        properties: properties({ bundles: bundles.join(' ') }),
      }),
    ]),
  );
  for (const { name, version, needs } of packages)
    for (const need of needs) made.get(`${name}@${version}`)?.dependencies.add(made.get(need).bomRef);
  return made.values();
}

/** Each module once, though it is in several engines. */
function engineComponents(root) {
  const { version, engines } = linkedModules(root);
  const std = component(ComponentType.Library, 'std', version, { purl: golangUrl('std', version) });
  const made = new Map();
  const moduleOf = ({ path, version: of, sum, isPatched }) => {
    const key = `${path}@${of}${isPatched ? ' patched' : ''}`;
    if (!made.has(key)) {
      const purl = golangUrl(path, of);
      const says = { ...(sum !== '' && { goSum: sum }), ...(isPatched && { patchedBy: 'src/engine/patch' }) };
      const one = component(ComponentType.Library, path, of, { purl, properties: properties(says) });
      one.bomRef.value = isPatched ? `${purl}#patched` : purl;
      made.set(key, one);
    }
    return made.get(key);
  };
  return engines.map(({ name, target, modules }) => {
    const engine = target === 'module' ? moduleFile(root, name) : program(name);
    return { engine, modules: [std, ...modules.map(moduleOf)] };
  });
}

function moduleFile(root, name) {
  const file = `dist/engine/${name}.wasm.br`;
  const hash = sha256(readFileSync(join(root, file)));
  const hashes = new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], hash]]);
  return new Models.Component(ComponentType.File, file, { bomRef: file, hashes });
}

/** As it is in the packages `customizer-lint-SYSTEM`, with bytes of its own for each. */
function program(name) {
  const file = `customizer-lint-SYSTEM/${name}`;
  return new Models.Component(ComponentType.Application, file, { bomRef: file });
}

function properties(says) {
  const all = Object.entries(says).map(([name, value]) => new Models.Property(`${prefix}:${name}`, value));
  return new Models.PropertyRepository(all);
}

function licensesOf(license) {
  if (!license) return new Models.LicenseRepository();
  const one = SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license);
  return new Models.LicenseRepository([one]);
}

/** Of `sha512-BASE64`. */
function hexOf(integrity) {
  return Buffer.from(integrity.slice(integrity.indexOf('-') + 1), 'base64').toString('hex');
}

function npmUrl(name, version) {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return new PackageURL('npm', scope, rest, version).toString();
}

function golangUrl(path, version) {
  const at = path.lastIndexOf('/');
  const namespace = at < 0 ? undefined : path.slice(0, at);
  return new PackageURL('golang', namespace, path.slice(at + 1), version).toString();
}
