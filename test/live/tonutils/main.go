// tonutils-go against the service at TONWAY_URL: synced from init_block with every proof checked, read and sent.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/wallet"
)

type walletInfo struct {
	Version  string
	Address  string
	Mnemonic []string
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func wallets(url string) []walletInfo {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"local.wallets","params":{}}`)
	response := must(http.Post(url+"/jsonRPC", "application/json", bytes.NewReader(body)))
	defer response.Body.Close()
	var answer struct {
		Result struct{ Wallets []walletInfo }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		panic(err)
	}
	return answer.Result.Wallets
}

func main() {
	url := os.Getenv("TONWAY_URL")
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	config := must(liteclient.GetConfigFromUrl(ctx, url+"/global.config.json"))
	pool := liteclient.NewConnectionPool()
	if err := pool.AddConnectionsFromConfig(ctx, config); err != nil {
		panic(err)
	}
	client := ton.NewAPIClient(pool, ton.ProofCheckPolicySecure)
	client.SetTrustedBlockFromConfig(config)
	api := client.WithRetry()

	if os.Getenv("TONWAY_SCENE") != "" {
		printFacts(ctx, api)
		return
	}
	head := must(api.CurrentMasterchainInfo(ctx))
	for _, info := range wallets(url) {
		if info.Version != "v4R2" {
			continue
		}
		owner := address.MustParseAddr(info.Address)
		seqno := must(api.RunGetMethod(ctx, head, owner, "seqno")).MustInt(0)
		from := must(wallet.FromSeed(api, info.Mnemonic, wallet.V4R2))
		sink := address.NewAddress(0, 0, bytes.Repeat([]byte{0x77}, 32))
		if err := from.Send(ctx, wallet.SimpleMessage(sink, tlb.MustFromTON("1"), nil), true); err != nil {
			panic(err)
		}
		time.Sleep(2 * time.Second)
		head = must(api.GetMasterchainInfo(ctx))
		account := must(api.GetAccount(ctx, head, owner))
		transactions := must(api.ListTransactions(ctx, owner, 5, account.LastTxLT, account.LastTxHash))
		fmt.Println("balance", account.State.Balance.String(), "seqno was", seqno, "transactions", len(transactions))
	}
	shards := must(api.GetBlockShardsInfo(ctx, head))
	block := must(api.GetBlockData(ctx, head))
	must(api.GetBlockchainConfig(ctx, head))
	_, _, err := api.GetBlockTransactionsV2(ctx, shards[0], 100)
	must(0, err)
	must(api.LookupBlock(ctx, -1, -0x8000000000000000, 2))
	fmt.Println("synced to", block.BlockInfo.SeqNo, "with proofs, read and sent")
}
