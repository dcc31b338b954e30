import * as layerzero from './bridge/layerzero.ts'
import * as tgbtc from './bridge/tgbtc.ts'
import * as clients from './cocoon/clients.ts'
import * as cocoon from './cocoon/workers-and-proxies.ts'
import { coffeeDeposit, coffeeWithdrawal } from './dex/coffee-liquidity.ts'
import { coffeeFailedSwap, coffeeHoldFunds } from './dex/coffee-mev.ts'
import { coffeePool, coffeePoolCreator, coffeeVault } from './dex/coffee-pools.ts'
import { coffeeSwap } from './dex/coffee-swap.ts'
import { dedustDeposit, dedustPartial, dedustWithdrawal } from './dex/dedust-liquidity.ts'
import { dedustSwap } from './dex/dedust-swap.ts'
import { dedustV2Deposit, dedustV2Partial, dedustV2RejectedDeposit } from './dex/dedust-v2-deposit.ts'
import { dedustV2FailedSwap, dedustV2Swap } from './dex/dedust-v2-swap.ts'
import { dedustV2Fees, dedustV2Reward, dedustV2Withdrawal } from './dex/dedust-v2-withdrawal.ts'
import { stonfiSwap } from './dex/stonfi.ts'
import { stonfiV2Deposit, stonfiV2Withdrawal } from './dex/stonfi-v2-liquidity.ts'
import { stonfiV2Swap } from './dex/stonfi-v2-swap.ts'
import { toncoDeposit, toncoWithdrawal } from './dex/tonco-liquidity.ts'
import { toncoPool } from './dex/tonco-pool.ts'
import { toncoSwap } from './dex/tonco-swap.ts'
import { jettonBurn, jettonMint } from './jettons/mint-burn.ts'
import { jettonTransfer, proxyTransfer, unsentTransfer } from './jettons/transfer.ts'
import { evaaSupply, evaaWithdrawal } from './lending/evaa.ts'
import { evaaLiquidation } from './lending/evaa-liquidation.ts'
import type { Matcher } from './matcher.ts'
import { auctionBid, outbid } from './nfts/bids.ts'
import { nftDiscovery } from './nfts/discovery.ts'
import { changeDns, purchaseDns, releaseDns } from './nfts/dns.ts'
import { putOnSale, updateSale } from './nfts/listing.ts'
import { nftMint } from './nfts/mint.ts'
import { purchase } from './nfts/purchase.ts'
import { cancelTeleitemAuction, startTeleitemAuction } from './nfts/teleitems.ts'
import { cancelAuction, cancelSale, finishAuction } from './nfts/trade-end.ts'
import { assignedNft, nftTransfer } from './nfts/transfer.ts'
import { coffeeRewards, coffeeStake, coffeeUnstake } from './staking/coffee.ts'
import { electionDeposit, electionRecovery } from './staking/elections.ts'
import { ethenaDeposit, ethenaWithdrawal } from './staking/ethena.ts'
import { jvaultClaim, jvaultStake, jvaultUnstake, jvaultUnstakeRequest } from './staking/jvault.ts'
import { nominatorDeposit, nominatorPayouts, nominatorWithdrawal } from './staking/nominators.ts'
import { tonstakersDeposit, tonstakersPayout, tonstakersWithdraw } from './staking/tonstakers.ts'
import { multisigApproval, multisigExecution, multisigOrder } from './wallets/multisig.ts'
import { subscription, unsubscription } from './wallets/subscriptions.ts'
import { vestingSend, vestingWhitelist } from './wallets/vesting.ts'

/*
 * All matchers in order (v3.md 5.4). Each one sees the whole trace before the next one runs. A matcher of several messages runs before matchers that
 * would take some of them. A matcher that uses groups runs after the matchers that make them.
 */
export const MATCHERS: readonly Matcher[] = [
  ...[nftMint, tonstakersPayout, dedustDeposit, dedustPartial, tonstakersDeposit, tonstakersWithdraw],
  ...[multisigOrder, multisigApproval, multisigExecution, vestingSend, vestingWhitelist],
  ...[nominatorDeposit, nominatorWithdrawal, nominatorPayouts],
  ...[jettonTransfer, proxyTransfer, dedustWithdrawal, jettonBurn],
  ...[dedustSwap, dedustV2Swap, dedustV2FailedSwap, dedustV2Withdrawal, dedustV2Deposit, dedustV2RejectedDeposit, dedustV2Partial],
  ...[dedustV2Fees, dedustV2Reward, stonfiSwap, stonfiV2Swap, toncoSwap],
  ...[releaseDns, purchaseDns, updateSale, nftTransfer, assignedNft, purchase, putOnSale],
  ...[startTeleitemAuction, cancelTeleitemAuction, nftDiscovery, changeDns],
  ...[electionDeposit, electionRecovery, subscription, unsubscription],
  ...[auctionBid, outbid, cancelSale, finishAuction, cancelAuction],
  ...[ethenaWithdrawal, jettonMint, ethenaDeposit, stonfiV2Deposit, stonfiV2Withdrawal],
  ...[jvaultStake, jvaultUnstake, jvaultClaim, jvaultUnstakeRequest, evaaSupply, evaaWithdrawal, evaaLiquidation],
  ...[tgbtc.tgbtcMint, tgbtc.tgbtcBurn, tgbtc.tgbtcNewKey],
  ...[tgbtc.tgbtcMintLog, tgbtc.tgbtcBurnLog, tgbtc.tgbtcNewKeyLog, tgbtc.tgbtcDkgLog],
  ...[toncoDeposit, toncoPool, toncoWithdrawal],
  ...[coffeeDeposit, coffeeSwap, coffeeWithdrawal, coffeeVault, coffeePoolCreator, coffeePool, coffeeHoldFunds, coffeeFailedSwap],
  ...[coffeeStake, coffeeUnstake, coffeeRewards],
  ...[layerzero.layerzeroSend, layerzero.layerzeroSendTokens, layerzero.layerzeroReceive],
  ...[layerzero.layerzeroCommit, layerzero.layerzeroVerify],
  ...[cocoon.cocoonWorkerPayout, cocoon.cocoonProxyPayout, cocoon.cocoonProxyCharge, clients.cocoonTopUp],
  ...[cocoon.cocoonRegisterProxy, cocoon.cocoonUnregisterProxy, clients.cocoonRegister, clients.cocoonSecretHash],
  ...[clients.cocoonRequestRefund, cocoon.cocoonGrantRefund, clients.cocoonIncreaseStake, clients.cocoonWithdraw],
]

/** Matchers for messages that a wallet was asked to send and did not send. */
export const UNSENT_MATCHERS: readonly Matcher[] = [unsentTransfer]
