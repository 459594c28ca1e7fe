/**
 * What the charts of real releases make without any values is accepted by Kubernetes' own validation, so that what is refused with some is
 * theirs. Without the charts it is one skipped test.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderPlatform } from '../../src/charts/platform.js';
import { ObjectServer } from '../../src/charts/refused.js';
import { type ComponentRelease, releasesOf } from '../../src/charts/releases.js';
import { ChartRenderer } from '../../src/charts/renderer.js';
import { openChartFolder } from '../../src/charts/store.js';
import { loadSchemas } from '../../src/cozystack/schemas.js';
import { ApplyEngine, LaterEngine } from '../../src/engine/host/apply-engine.js';
import { HelmEngine } from '../../src/engine/host/helm-engine.js';
import { root } from '../support/cli.js';
import { someOf } from '../support/sample.js';

const upstream = process.env.CUSTOMIZER_LINT_UPSTREAM ?? join(root, '../shared/upstream');
const releases = ['v1.5.4', 'v1.6.2', 'next'];
const archiveOf = (release: string) => join(upstream, `packages-${release}.tar.xz`);
const here = releases.filter((release) => existsSync(archiveOf(release)));
const engines = join(root, 'dist/engine');

if (here.length === 0) test.skip('nothing is refused: skipped, as the charts are not here', () => {});

(here.length > 0 ? describe : describe.skip)('without values', () => {
  test.each(someOf(here, 3))(
    'nothing is refused of what the charts of %s make',
    async (release) => {
      const home = mkdtempSync(join(tmpdir(), 'charts-'));
      execFileSync('tar', ['-xJf', archiveOf(release), '-C', home]);
      const renderer = new ChartRenderer(openChartFolder(join(home, `packages-${release}`)), () =>
        HelmEngine.open(engines),
      );
      const schemas = loadSchemas(join(root, 'schemas'), release);
      const world = { kubeVersion: 'v1.35.0', apiVersions: schemas.served(), objects: [] };
      const apply = new LaterEngine(() => ApplyEngine.open(engines));
      // However slow the machine is.
      const server = new ObjectServer(apply, schemas, 600);
      try {
        const components = new Map<string, ComponentRelease>();
        for (const variant of ['isp-full', 'isp-hosted']) {
          const platform = await renderPlatform(renderer, { variant, values: {} }, world);
          if ('failed' in platform) throw new Error(platform.failed.message);
          for (const [name, value] of platform.packages)
            for (const one of releasesOf(
              { package: name, value, source: platform.sources.get(name) ?? {} },
              platform.clusterValues,
            ))
              components.set(JSON.stringify(one), one);
        }
        let count = 0;
        for (const one of someOf([...components.values()], 5, ({ component }) => component)) {
          const response = await renderer.render(one, world);
          if ('failed' in response) continue;
          const { fields, left } = await server.refused(response.objects, one.namespace);
          expect({ component: one.component, fields, left }).toEqual({ component: one.component, fields: [], left: 0 });
          count += response.objects.length;
        }
        expect(count).toBeGreaterThan(20);
      } finally {
        await Promise.all([renderer.close(), apply.close()]);
        rmSync(home, { recursive: true, force: true });
      }
    },
    600_000,
  );
});
