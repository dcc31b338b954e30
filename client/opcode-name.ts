import type { Methods } from './methods.ts'

/*
 * Names of opcodes for people. v3 names a body by its opcode alone, as TON Center does. Contracts choose small opcodes for themselves, so a small one has a
 * name only if the message comes from or goes to a contract of the protocol.
 */

type Answer = Methods['v3.transactions']['result']
type Message = NonNullable<Answer['transactions'][number]['in_msg']>

/** Opcodes up to this number are chosen by each contract. Larger opcodes are usually derived from the schema of the body. */
export const MAX_OWN_OPCODE = 0xfffff

// EVAA's code has no interface. These are the masters in https://github.com/evaafi/sdk (src/constants/general); each message goes from or to one.
const EVAA = [
  '0:BCAD466A47FA565750729565253CD073CA24D856804499090C2100D95C809F9E',
  '0:9D21D5DFD6403FD8777D99B1B34850C43C0F8FC7E7ADF2A4D61C45E0446A342B',
  '0:489595F65115A45C24A0DD0176309654FB00B95E40682F0C3E85D5A4D86DFB25',
  '0:0D511552DDF8413BD6E2BE2837E22C89422F7B16131BA62BE8D5A504012D8661',
  '0:EB486041BA7AD636621D1E075A03B59EBB8C94AFC0A4C370BDC0D5A86EAEE8B2',
  '0:AC39D40F0CED579DDCEEB67F5D0DC968A255A8D701CA202333DA31CBE943FCB2',
]

/** Contracts of the protocols with small opcodes: interfaces, or raw addresses, by the first word of the names of the protocol's bodies. */
const CONTRACTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['minter', ['jetton_master']],
  ['pyth', ['pyth_price_oracle']],
  ['evaa', EVAA],
  ['supply', EVAA],
])

/** The address of an account, and its interfaces. */
const identitiesOf = (account: string | null | undefined, book: Answer['address_book']): readonly string[] =>
  account ? [account, ...(book[account]?.interfaces ?? [])] : []

/**
 * Returns whether a body may keep the name that its opcode gave it. Several contracts use small opcodes, so the name of a protocol with small opcodes needs
 * one of the accounts to be a contract of that protocol.
 */
export const isOfProtocol = (type: string, accounts: readonly (string | null | undefined)[], book: Answer['address_book']): boolean => {
  const contracts = CONTRACTS.get(type.split('_')[0]!)
  return contracts === undefined || accounts.some((account) => identitiesOf(account, book).some((each) => contracts.includes(each)))
}

/** The name of a message's opcode; undefined for an unknown one, and for a small one of other contracts. Opcode 0 is a comment everywhere. */
export const opcodeNameOf = (
  { opcode, decoded_opcode: name, source, destination, message_content: content }: Message,
  book: Answer['address_book'],
): string | undefined => {
  const number = Number(opcode ?? 0)
  if (number === 0 || number > MAX_OWN_OPCODE) return name ?? undefined
  // Protocols share small opcodes: the type of the body may be that of another protocol than the name.
  const names = [content?.decoded?.['@type'], name].filter((each) => typeof each === 'string')
  return names.find((each) => CONTRACTS.has(each.split('_')[0]!) && isOfProtocol(each, [source, destination], book))
}
