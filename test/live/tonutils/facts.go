package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

type at struct {
	Workchain int32
	Shard     string
	Seqno     uint32
}

type scene struct {
	Blocks   map[string]at
	Accounts map[string]string
	Runs     [][2]string
	Config   []int32
	Lt       string
	Time     uint32
}

type facts = map[string]any

func text[T int64 | uint64](value T) string { return fmt.Sprint(value) }

func hash(c *cell.Cell) string {
	if c == nil {
		return ""
	}
	return hex.EncodeToString(c.Hash())
}

// shard writes a shard as TON Center does: a signed number.
func shard(value uint64) string { return text(int64(value)) }

func blockOf(id *ton.BlockIDExt) facts {
	return facts{
		"workchain": id.Workchain, "shard": shard(uint64(id.Shard)), "seqno": id.SeqNo,
		"root": hex.EncodeToString(id.RootHash), "file": hex.EncodeToString(id.FileHash),
	}
}

// rawAddress writes an address raw, and the absent one as an empty text.
func rawAddress(a *address.Address) string {
	if a == nil || a.IsAddrNone() {
		return ""
	}
	return fmt.Sprintf("%d:%s", a.Workchain(), hex.EncodeToString(a.Data()))
}

func headerOf(ctx context.Context, api ton.APIClientWrapped, id *ton.BlockIDExt) facts {
	block := must(api.GetBlockData(ctx, id))
	info := block.BlockInfo
	prev := info.PrevRef.Prev1
	return facts{
		"id": blockOf(id), "global_id": block.GlobalID, "version": info.Version,
		"after_merge": info.AfterMerge, "after_split": info.AfterSplit, "before_split": info.BeforeSplit,
		"want_merge": info.WantMerge, "want_split": info.WantSplit, "is_key_block": info.KeyBlock,
		"validator_list_hash_short": int32(info.GenValidatorListHashShort), "catchain_seqno": info.GenCatchainSeqno,
		"min_ref_mc_seqno": info.MinRefMcSeqno, "prev_key_block_seqno": info.PrevKeyBlockSeqno,
		"start_lt": text(info.StartLt), "end_lt": text(info.EndLt), "gen_utime": info.GenUtime,
		"prev": []facts{{"seqno": prev.SeqNo, "root": hex.EncodeToString(prev.RootHash), "file": hex.EncodeToString(prev.FileHash)}},
	}
}

func messageOf(m *tlb.Message) facts {
	read := facts{
		"source": rawAddress(m.Msg.SenderAddr()), "destination": rawAddress(m.Msg.DestAddr()), "body": hash(m.Msg.Payload()),
		"value": "0", "created_lt": "0", "fwd_fee": "0", "ihr_fee": "0",
	}
	switch inner := m.Msg.(type) {
	case *tlb.InternalMessage:
		read["value"], read["created_lt"] = inner.Amount.Nano().String(), text(inner.CreatedLT)
		read["fwd_fee"], read["ihr_fee"] = inner.FwdFee.Nano().String(), inner.IHRFee.Nano().String()
	case *tlb.ExternalMessageOut:
		read["created_lt"] = text(inner.CreatedLT)
	}
	return read
}

func transactionOf(tx *tlb.Transaction, workchain int32) facts {
	out := []facts{}
	fee := new(big.Int).Set(tx.TotalFees.Coins.Nano())
	if tx.IO.Out != nil {
		for _, each := range must(tx.IO.Out.ToSlice()) {
			out = append(out, messageOf(&each))
			if inner, ok := each.Msg.(*tlb.InternalMessage); ok {
				fee.Add(fee, inner.FwdFee.Nano()).Add(fee, inner.IHRFee.Nano())
			}
		}
	}
	storage := "0"
	switch kind := tx.Description.(type) {
	case tlb.TransactionDescriptionOrdinary:
		if kind.StoragePhase != nil {
			storage = kind.StoragePhase.StorageFeesCollected.Nano().String()
		}
	case tlb.TransactionDescriptionTickTock:
		storage = kind.StoragePhase.StorageFeesCollected.Nano().String()
	}
	var in any
	if tx.IO.In != nil {
		in = messageOf(tx.IO.In)
	}
	return facts{
		"lt": text(tx.LT), "hash": hex.EncodeToString(tx.Hash), "data": hex.EncodeToString(tx.Hash), "time": tx.Now,
		"account": fmt.Sprintf("%d:%s", workchain, hex.EncodeToString(tx.AccountAddr)),
		"fee":     fee.String(), "storage_fee": storage, "in": in, "out": out,
	}
}

func accountOf(account *tlb.Account) facts {
	read := facts{"state": "uninitialized", "balance": "0", "code": hash(account.Code), "data": hash(account.Data), "frozen": ""}
	last := facts{"lt": text(account.LastTxLT), "hash": strings.Repeat("0", 64)}
	if account.State != nil {
		read["balance"] = account.State.Balance.Nano().String()
		last["hash"] = hex.EncodeToString(account.LastTxHash)
		switch account.State.Status {
		case tlb.AccountStatusActive:
			read["state"] = "active"
		case tlb.AccountStatusFrozen:
			read["state"], read["frozen"] = "frozen", hex.EncodeToString(account.State.StateHash)
		}
	}
	read["last"] = last
	return read
}

func entryOf(value any) any {
	switch entry := value.(type) {
	case nil:
		return []any{}
	case *big.Int:
		return entry.String()
	case *cell.Cell:
		return facts{"cell": hash(entry)}
	case *cell.Slice:
		return facts{"slice": hash(must(entry.ToCell()))}
	case []any:
		entries := []any{}
		for _, each := range entry {
			entries = append(entries, entryOf(each))
		}
		return entries
	}
	return fmt.Sprintf("%T", value)
}

func runOf(ctx context.Context, api ton.APIClientWrapped, master *ton.BlockIDExt, account, method string) facts {
	result, err := api.RunGetMethod(ctx, master, address.MustParseAddr(account), method)
	var refused ton.ContractExecError
	if errors.As(err, &refused) {
		return facts{"exit": refused.Code, "stack": []any{}}
	}
	return facts{"exit": 0, "stack": entryOf(must(result, err).AsTuple())}
}

// lookup finds a masterchain block by what LookupBlock of the library does not ask for: lt (mode 2) or time (mode 4).
func lookup(ctx context.Context, api ton.APIClientWrapped, query ton.LookupBlock) facts {
	query.ID = &ton.BlockInfoShort{Workchain: -1, Shard: -0x8000000000000000}
	var answer tl.Serializable
	if err := api.Client().QueryLiteserver(ctx, query, &answer); err != nil {
		panic(err)
	}
	return blockOf(answer.(ton.BlockHeader).ID)
}

// printFacts prints what the library reads of the scene in TONWAY_SCENE, every proof checked, as facts (peers/facts.mjs).
func printFacts(ctx context.Context, api ton.APIClientWrapped) {
	var given scene
	if err := json.Unmarshal([]byte(os.Getenv("TONWAY_SCENE")), &given); err != nil {
		panic(err)
	}
	ids := map[string]*ton.BlockIDExt{}
	blocks, headers, listed := facts{}, facts{}, facts{}
	for name, each := range given.Blocks {
		id := must(api.LookupBlock(ctx, each.Workchain, must(strconv.ParseInt(each.Shard, 10, 64)), each.Seqno))
		ids[name] = id
		blocks[name], headers[name] = blockOf(id), headerOf(ctx, api, id)
		short, _, err := api.GetBlockTransactionsV2(ctx, id, 1000)
		must(0, err)
		transactions := []facts{}
		for _, tx := range short {
			transactions = append(transactions, facts{
				"account": hex.EncodeToString(tx.Account), "lt": text(tx.LT), "hash": hex.EncodeToString(tx.Hash),
			})
		}
		listed[name] = transactions
	}
	master := ids["master"]
	blocks["byLt"] = lookup(ctx, api, ton.LookupBlock{Mode: 2, LT: must(strconv.ParseUint(given.Lt, 10, 64))})
	blocks["byTime"] = lookup(ctx, api, ton.LookupBlock{Mode: 4, UTime: given.Time})
	shards := []facts{}
	for _, each := range must(api.GetBlockShardsInfo(ctx, master)) {
		shards = append(shards, blockOf(each))
	}
	accounts, histories := facts{}, facts{}
	for name, each := range given.Accounts {
		owner := address.MustParseAddr(each)
		account := must(api.GetAccount(ctx, master, owner))
		accounts[name] = accountOf(account)
		if account.LastTxLT == 0 {
			continue
		}
		// They come oldest first.
		history := []facts{}
		list := must(api.ListTransactions(ctx, owner, 10, account.LastTxLT, account.LastTxHash))
		for i := len(list) - 1; i >= 0; i-- {
			history = append(history, transactionOf(list[i], owner.Workchain()))
		}
		histories[name] = history
	}
	runs, params := facts{}, facts{}
	for _, each := range given.Runs {
		runs[each[0]+"."+each[1]] = runOf(ctx, api, master, given.Accounts[each[0]], each[1])
	}
	var answer tl.Serializable
	if err := api.Client().QueryLiteserver(ctx, ton.GetShardBlockProof{ID: ids["shard"]}, &answer); err != nil {
		panic(err)
	}
	proof, links := answer.(ton.ShardBlockProof), []facts{}
	for _, link := range proof.Links {
		links = append(links, facts{"id": blockOf(link.ID), "proof": hash(must(cell.FromBOC(link.Proof)))})
	}
	config := must(api.GetBlockchainConfig(ctx, master))
	for _, id := range given.Config {
		params[fmt.Sprint(id)] = hash(config.Get(id))
	}
	must(0, json.NewEncoder(os.Stdout).Encode(facts{
		"blocks": blocks, "headers": headers, "shards": shards, "block_transactions": listed,
		"accounts": accounts, "transactions": histories, "runs": runs, "config": params,
		"proof": facts{"master": blockOf(proof.MasterchainID), "links": links},
	}))
}
