/**
 * Ways in which a folder comes to render an object with a value in a field. Each writes the object as it is before (`active`
 * false) or after; what differs between the two is as little as the way allows.
 */
import type { Delivery } from './deliveries/common.js';
import { ofFlux } from './deliveries/flux.js';
import { folders } from './deliveries/folders.js';
import { patches } from './deliveries/patches.js';
import { plugins } from './deliveries/plugins.js';

export const deliveries: Record<string, Delivery> = { ...patches, ...plugins, ...folders, ...ofFlux };
