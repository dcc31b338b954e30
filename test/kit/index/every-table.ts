import { Address, beginCell, type Cell, Dictionary, toNano } from '@ton/core'
import { account, b64, jettonBurn, jettonTransfer, mainnetCode, nftTransfer, raw, speaking } from '../../index/topics/kit.ts'
import { fixedPrice } from '../../index/topics/sales.ts'
import { bidder, createElections, TIMES, TON } from '../chain/elections.ts'
import { createPool, nominator } from '../chain/nominator-pool.ts'
import type { LocalIndex } from './local-index.ts'

const [ALICE, BOB, SHOP] = [account(0xa1), account(0xa3), account(0xa5)]
const [SALE, MULTISIG, ORDER, VESTING] = [account(0x51), account(0x52), account(0x53), account(0x54)]
const VALIDATOR = new Address(-1, Buffer.alloc(32, 0xc0))
const slice = (address: Address) => ({ slice: beginCell().storeAddress(address).endCell() })

/** Plays a history that leaves rows in every table of the index's topics. */
export const playEveryTable = async ({ call, indexed, utime }: LocalIndex): Promise<void> => {
  const tell = async (from: Address, to: Address, body: Cell, value = '1'): Promise<void> => {
    await call('local.sendInternal', { from: raw(from), to: raw(to), value: String(toNano(value)), body: b64(body), bounce: true })
    await call('local.mine', { count: 4 })
  }
  const put = (address: Address, code: Cell, data?: Cell) =>
    call('local.setAccount', { address: raw(address), balance: String(10n * TON), code: b64(code), ...(data && { data: b64(data) }) })

  const jetton = await call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN' })
  const minted = await call('local.mintJetton', { jetton: jetton.address, owner: raw(ALICE), amount: '1000' })
  const wallet = Address.parse(minted.address)
  await tell(ALICE, wallet, jettonTransfer(10n, BOB, ALICE))
  await tell(ALICE, wallet, jettonBurn(5n, ALICE))

  const leaves = await call('local.deployCollection', { name: 'Leaves', owner: raw(ALICE) })
  const item = Address.parse((await call('local.mintNft', { collection: leaves.address, owner: raw(ALICE), name: 'one' })).address)
  await put(SALE, mainnetCode('8278f4c5233d'), fixedPrice({ marketplace: SHOP, item, seller: null, royalty: ALICE }, 2))
  await tell(ALICE, item, nftTransfer(SALE, ALICE, toNano('0.1')))
  const zone = await call('local.deployCollection', { kind: 'dns', owner: raw(ALICE) })
  await call('local.mintNft', { collection: zone.address, owner: raw(ALICE), domain: 'alice' })

  const members = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
  for (const [i, member] of [ALICE, BOB].entries()) members.set(i, member)
  const signers = { cell: beginCell().storeDictDirect(members).endCell() }
  await put(MULTISIG, speaking({ get_multisig_data: [1n, 2n, signers, null], get_order_address: [slice(ORDER)] }))
  const orders = { cell: beginCell().storeUint(7, 32).endCell() }
  await put(ORDER, speaking({ get_order_data: [slice(MULTISIG), 0n, 2n, 0n, signers, 1n, 1n, 1_800_000_000n, orders] }))
  const listed = Dictionary.empty(Dictionary.Keys.BigUint(264), Dictionary.Values.Uint(1))
  listed.set(BigInt(`0x${BOB.hash.toString('hex')}`), 1)
  const whitelist = { cell: beginCell().storeDictDirect(listed).endCell() }
  const [sender, owner] = [slice(ALICE), slice(BOB)]
  await put(VESTING, speaking({ get_vesting_data: [1_700_000_000n, 1000n, 100n, 200n, 5n, sender, owner, whitelist] }))
  await indexed()

  const elections = await createElections(call, utime)
  const [a, b, c] = [bidder(0), bidder(1), bidder(2)]
  const first = elections.start + TIMES.electedFor
  const pool = createPool(call, { validator: VALIDATOR, share: 4000, minValidatorStake: 200n * TON, minNominatorStake: 10n * TON })
  await pool.fund(1000n * TON, true)
  await pool.deposit(nominator(1), 600n * TON)
  await call('local.mine', { count: 3 })
  await elections.until(610)
  await elections.stake(a, first, 3000n * TON)
  await elections.stake(b, first, 500n * TON)
  await elections.stake(c, first, 500n * TON)
  await elections.until(TIMES.electedFor - TIMES.endBefore + 10)
  await elections.until(TIMES.electedFor + 10)
  await elections.complain(a, first, c, 400n * TON)
  await call('local.mine', { count: 2 })
  await indexed()
  const [complaint] = (await call('v3.validators.complaints', {})).complaints
  await elections.vote(b, 1, first, Buffer.from(complaint!.complaint_hash, 'hex'))
  await call('local.mine', { count: 2 })
  await indexed()
}
