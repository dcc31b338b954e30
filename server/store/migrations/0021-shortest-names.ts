import { migration } from './statements.ts'

export const shortestNamesMigration = migration([
  // The shortest names of a wallet are read alone: anybody can make names that resolve to it.
  'create index dns_entries_shortest on dns_entries (wallet, length(domain), domain) where wallet is not null',
  `set local lock_timeout = '3s'`,
  'drop index dns_entries_wallet',
])
