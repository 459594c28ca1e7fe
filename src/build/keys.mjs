/** The keys of the configuration's schema, each with its path as docs/configuration.md writes it: `clusters[].name`, `rules.ID.paths`. */

/**
 * @param {any} schema what `configSchema` returns
 * @returns {{ key: string, description: string | undefined, type: string, isRequired: boolean }[]} parents before their keys
 */
export function keysOf(schema) {
  const { cluster, clusters, rules, ...rest } = schema.properties;
  // What can be said of a cluster is the same in both places, and of every rule but for its own options.
  const { properties, required } = clusters.items;
  const own = Object.keys(properties).filter((name) => !Object.hasOwn(cluster.properties, name));
  const items = { ...clusters.items, required, properties: pick(properties, own) };
  const parts = { cluster, clusters: { ...clusters, items }, ...rest };
  const names = Object.keys(schema.properties);
  return names.flatMap((name) =>
    name === 'rules' ? ofRules(rules) : below({ properties: { [name]: parts[name] } }, ''),
  );
}

function ofRules(rules) {
  const settings = Object.entries(rules.properties);
  const common = ['severity', 'paths'];
  const mapOf = ({ anyOf }) => anyOf.find(({ type }) => type === 'object');
  const [[, first]] = settings;
  const one = (name, type, { description }) => ({ key: name, type, description, isRequired: false });
  return [
    one('rules', 'map of settings by rule', rules),
    one('rules.ID', `${typeOf(first.anyOf[0])}, or a map`, first),
    ...below({ properties: pick(mapOf(first).properties, common) }, 'rules.ID.'),
    ...settings.flatMap(([id, setting]) => {
      const { properties } = mapOf(setting);
      const options = Object.keys(properties).filter((name) => !common.includes(name));
      return below({ properties: pick(properties, options) }, `rules.${id}.`);
    }),
  ];
}

function below({ properties = {}, required = [] }, prefix) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${prefix}${name}`;
    const { description, items } = schema;
    return [
      { key, description, type: typeOf(schema), isRequired: required.includes(name) },
      ...below(schema, `${key}.`),
      ...(items ? below(items, `${key}[].`) : []),
    ];
  });
}

/** Beyond this the values are not listed: they are the rules, which have a page of their own. */
const maxValues = 10;

function typeOf({ type, enum: values, pattern, minimum, items }) {
  if (values) return values.length > maxValues ? 'the id of a rule' : values.map((value) => `\`${value}\``).join(', ');
  switch (type) {
    case 'array':
      return items.enum ? `list of ${typeOf(items)}` : `list of ${items.type === 'object' ? 'maps' : 'strings'}`;
    case 'object':
      return 'map';
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
      return minimum === undefined ? 'whole number' : `whole number from ${minimum}`;
    default:
      return pattern ? `string that matches \`${pattern}\`` : type;
  }
}

function pick(properties, names) {
  return Object.fromEntries(names.map((name) => [name, properties[name]]));
}
