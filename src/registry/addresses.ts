/** Which addresses a registry may have: those of the internet, unless others are asked for. */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IANA's registries of special-purpose addresses: what is no host of the internet, or leads to another address. */
const special = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(net, bits, 'ipv6');

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
/** RFC 6052: how a network without IPv4 names the addresses that have nothing else. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether an IP address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  if (translated.check(address, 'ipv6')) return isPublicAddress(lastFour(address));
  return global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** The IPv4 address in the last 32 bits. */
function lastFour(address: string): string {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = '0', low = '0'] = text.split(':').slice(-2);
  const bits = (Number.parseInt(high || '0', 16) << 16) | Number.parseInt(low || '0', 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Why no connection is made. */
export class AddressError extends Error {
  override name = 'AddressError';
}

/**
 * Throws an `AddressError` for a host that is written as an address which must not be asked: of those no name is looked up. `wants` says
 * which addresses may be asked.
 */
export function checkWrittenAddress(hostname: string, wants: (address: string) => boolean): void {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(address) !== 0 && !wants(address)) throw new AddressError(address);
}

/** Names are looked up once, and the connection goes to what was judged: a second answer of the DNS changes nothing. */
export function checkedLookup(wants: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const refused = found.find(({ address }) => !wants(address));
      if (refused) return callback(new AddressError(refused.address), '', 0);
      if (options.all) return callback(null, found);
      callback(null, found[0]?.address ?? '', found[0]?.family);
    });
  };
}
