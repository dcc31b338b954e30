import { TonError } from '../../shared/errors.ts'
import { formatFriendly } from '../../shared/fields/address.ts'
import type { localTokens } from '../../shared/local/tokens.ts'
import type { Handlers } from '../base/call.ts'
import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountId, BlockId } from '../tlb/ids.ts'
import { delivered, inBlock, type LocalDeps } from './in-block.ts'
import { createSetJettonBalance } from './jetton-balance.ts'
import { contentCell, contentDictionary } from './token-content.ts'
import * as contracts from './token-contracts.ts'

/**
 * Nanograms: FOR_CONTRACT for the storage of a new contract, FOR_MINT sent with a mint, FOR_TOKEN the part of FOR_MINT that is forwarded to the wallet or
 * item.
 */
const FOR_CONTRACT = 50_000_000n
const FOR_MINT = 300_000_000n
const FOR_TOKEN = 100_000_000n
/** Number of masterchain blocks within which a forwarded message arrives. */
const STEPS = 5

const DNS_ROOT_PARAM = 4
const invalid = (text: string): TonError => new TonError('INVALID_PARAMS', text)

export const createTokenHandlers = ({ control, chain }: LocalDeps): Pick<Handlers, keyof typeof localTokens> => {
  const firstWallet = (): AccountId => control.wallets()[0]!.address

  const deploy = async (owner: AccountId, { id, init }: contracts.NewContract, signal: AbortSignal) => {
    const message = { from: owner, to: id, value: FOR_CONTRACT }
    return delivered(chain, message, await control.sendInternal({ ...message, bounce: false, init }, signal), signal)
  }

  /** Returns the data of a contract that local.* deployed. Throws NOT_FOUND if the account has another contract or none. */
  const dataOf = async (name: string, id: AccountId, codes: readonly Cell[], signal: AbortSignal): Promise<Cell> => {
    const { account } = await chain.account(id, undefined, signal)
    const state = account?.state.type === 'active' ? account.state.init : undefined
    if (!state?.code || !state.data || !codes.some((code) => code.equals(state.code!))) {
      throw new TonError('NOT_FOUND', `${name} ${formatFriendly(id)} was not deployed by local.*`)
    }
    return state.data
  }

  /** Sends a mint and waits until it causes a transaction of `changed`, the wallet or item. */
  const mint = async (from: AccountId, to: AccountId, body: Cell, changed: AccountId, signal: AbortSignal) => {
    const before = (await chain.account(changed, undefined, signal)).lastTransLt
    const message = { from, to, value: FOR_MINT }
    let block = await control.sendInternal({ ...message, bounce: true, body }, signal)
    const order = await delivered(chain, message, block, signal)
    for (let left = STEPS; (await chain.account(changed, block, signal)).lastTransLt === before; left--) {
      if (left === 0) throw new TonError('CHAIN', `the contract refused to mint: see the transactions of ${formatFriendly(to)}`)
      block = await control.mine(1, signal)
    }
    return { ...order, ...inBlock(block) }
  }

  const deployRoot = async (owner: AccountId, domain: string, collection: AccountId, signal: AbortSignal): Promise<BlockId> => {
    const root = contracts.dnsRootOf(domain, collection)
    // Addresses in the configuration belong to the masterchain.
    const id = { workchain: -1, hash: root.id.hash }
    await deploy(owner, { ...root, id }, signal)
    return control.setConfig(new Map([[DNS_ROOT_PARAM, beginCell().storeBytes(id.hash).end()]]), signal)
  }

  return {
    async 'local.deployJetton'({ decimals, admin = firstWallet(), ...said }, { signal }) {
      const offChain = said.uri !== undefined && Object.values(said).filter((value) => value !== undefined).length === 1
      const content = contentCell(offChain ? { uri: said.uri } : { ...said, decimals: `${decimals}` })
      const minter = contracts.jettonMinterOf(admin, content)
      return { ...(await deploy(admin, minter, signal)), address: formatFriendly(minter.id) }
    },

    async 'local.mintJetton'({ jetton, owner, amount }, { signal }) {
      const admin = contracts.adminOf(await dataOf('jetton', jetton, [contracts.codes.jettonMinter], signal))
      if (!admin) throw invalid('the jetton has no admin any more')
      const { id } = contracts.jettonWalletOf(owner, jetton)
      const minted = await mint(admin, jetton, contracts.mintBody(owner, amount, FOR_TOKEN, admin), id, signal)
      return { ...minted, address: formatFriendly(id) }
    },

    'local.setJettonBalance': createSetJettonBalance({ control, chain }),

    async 'local.deployCollection'({ kind, owner = firstWallet(), royalty, domain = 'ton', ...said }, { signal }) {
      const share = { numerator: 0, denominator: 1, ...royalty, destination: royalty?.destination ?? owner }
      const collection = contracts.collectionOf(kind, owner, contentCell(said), share)
      const deployed = await deploy(owner, collection, signal)
      const named = kind === 'dns' ? inBlock(await deployRoot(owner, domain, collection.id, signal)) : {}
      return { ...deployed, ...named, address: formatFriendly(collection.id) }
    },

    async 'local.mintNft'({ collection, owner, index: given, authority, domain, ...said }, { signal }) {
      const codes = [contracts.codes.nftCollection, contracts.codes.dnsCollection]
      const found = contracts.readCollection(await dataOf('collection', collection, codes, signal))
      if (!found) throw new TonError('NOT_FOUND', 'collection has items of a kind that local.mintNft does not make')
      const { kind, nextIndex } = found
      if ((kind === 'dns') !== (domain !== undefined))
        throw invalid(
          kind === 'dns' ? 'domain is required: the collection is of kind dns' : `domain is only for collections of kind dns, not ${kind}`,
        )
      if (authority !== undefined && kind !== 'sbt') throw invalid(`authority is only for collections of kind sbt, not ${kind}`)
      if (given !== undefined && given !== nextIndex) {
        throw invalid(kind === 'dns' ? 'index must be left out: it follows from the domain' : `index must be the next one, ${nextIndex}`)
      }
      const index = domain === undefined ? nextIndex : contracts.domainIndex(domain)
      const content = domain === undefined ? contentCell(said) : contracts.domainContent(contentDictionary(said), domain)
      const item = contracts.itemOf(kind, index, collection)
      if ((await chain.account(item.id, undefined, signal)).status === 'active') throw invalid(`item ${index} exists already`)
      const init = contracts.itemState(kind, owner, content, authority)
      const minted = await mint(found.owner, collection, contracts.deployItemBody(index, FOR_TOKEN, init), item.id, signal)
      return { ...minted, address: formatFriendly(item.id), index: index.toString() }
    },
  }
}
