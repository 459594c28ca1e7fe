/** What a simulation is told, and what it asks. */
import type { Finding, JsonObject } from '../core/model.js';
import type { ApiServer } from './reconcile.js';

/** An API server that has to be told what it serves. */
export type Simulator = ApiServer & { define(definitions: JsonObject[]): Promise<void> };

export type SimulateOptions = {
  /** Objects as the cluster has them, with their managedFields; in place of those that the platform is known to make. */
  live?: readonly JsonObject[];
  /** Onto a cluster that has seen nothing of the repository. */
  fresh?: boolean;
  /** What the rules say of each commit: of what the server cannot be asked they are believed. */
  said?: Said;
};

export type Said = { head: readonly Finding[]; base: readonly Finding[] };
