/** Certificates for a test's own API server, by hand: Node reads X.509 but does not write it, and openssl may be absent. */
import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** @typedef {{ cert: string, key: string }} Pair PEM; the key is PKCS #8. */
/** @typedef {Pair & { name: Buffer }} Authority */

const oid = {
  commonName: '550403',
  organization: '55040a',
  ecdsaWithSha256: '2a8648ce3d040302',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
};

/**
 * @param {string} commonName
 * @returns {Authority}
 */
export function authority(commonName) {
  const name = distinguishedName([oid.commonName, commonName]);
  const { publicKey, key } = newKey();
  const extensions = [
    extension(oid.basicConstraints, sequence(der(0x01, [0xff]))),
    extension(oid.keyUsage, der(0x03, [1, 0b00000110])), // keyCertSign and cRLSign
  ];
  return { name, key, cert: certificate({ name, key }, name, publicKey, extensions) };
}

/**
 * @param {Authority} issuer
 * @returns {Pair} for a server on the loopback
 */
export function serverCertificate(issuer) {
  const names = sequence(der(0x87, [127, 0, 0, 1]), der(0x82, Buffer.from('localhost')));
  return issue(issuer, distinguishedName([oid.commonName, 'kube-apiserver']), [
    extension(oid.extKeyUsage, sequence(identifier(oid.serverAuth))),
    extension(oid.subjectAltName, names),
  ]);
}

/**
 * @param {Authority} issuer
 * @param {string} user
 * @param {string} group
 * @returns {Pair} by which an API server takes a client for that user
 */
export function clientCertificate(issuer, user, group) {
  return issue(issuer, distinguishedName([oid.organization, group], [oid.commonName, user]), [
    extension(oid.extKeyUsage, sequence(identifier(oid.clientAuth))),
  ]);
}

/** The keys that sign and verify the tokens of service accounts, PEM. */
export function signingKeys() {
  const { publicKey, key } = newKey();
  return {
    key,
    publicKey: createPublicKey({ key: publicKey, type: 'spki', format: 'der' })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
  };
}

/**
 * @param {Authority} issuer
 * @param {Buffer} name
 * @param {Buffer[]} extensions
 * @returns {Pair}
 */
function issue(issuer, name, extensions) {
  const { publicKey, key } = newKey();
  return { key, cert: certificate(issuer, name, publicKey, extensions) };
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * RFC 5280, section 4.1: valid from yesterday, as clocks differ, for ten days.
 *
 * @param {{ name: Buffer, key: string }} issuer
 * @param {Buffer} subject
 * @param {Buffer} publicKey
 * @param {Buffer[]} extensions
 */
function certificate(issuer, subject, publicKey, extensions) {
  const algorithm = sequence(identifier(oid.ecdsaWithSha256));
  const serial = randomBytes(16);
  serial[0] = 1; // positive, and not in need of a shorter form
  const signed = sequence(
    der(0xa0, der(0x02, [2])), // version 3
    der(0x02, serial),
    algorithm,
    issuer.name,
    sequence(time(-1), time(10)),
    subject,
    publicKey,
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', signed, issuer.key);
  const whole = sequence(signed, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** @param {number} days from now */
function time(days) {
  const digits = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

/** @param {[type: string, value: string][]} attributes */
function distinguishedName(...attributes) {
  const sets = attributes.map(([type, value]) => der(0x31, sequence(identifier(type), der(0x0c, Buffer.from(value)))));
  return sequence(...sets);
}

/**
 * @param {string} type
 * @param {Buffer} value
 */
function extension(type, value) {
  return sequence(identifier(type), der(0x04, value));
}

/** @param {string} hex */
function identifier(hex) {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** @param {Buffer[]} parts */
function sequence(...parts) {
  return der(0x30, Buffer.concat(parts));
}

/**
 * @param {number} tag
 * @param {Buffer | number[]} content
 */
function der(tag, content) {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), Buffer.from(content)]);
}
