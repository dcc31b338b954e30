// The oracle: runs code and transactions with tonutils-go, at any global version. One JSON request a line on standard input, one answer a line on
// standard output. See README.md beside this file.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

type request struct {
	Op string `json:"op"` // config | run | transaction
	// Name of a configuration that was sent before with op config; base64 BoC of its root there.
	Config string `json:"config"`
	Boc    string `json:"boc"`

	// run
	Version int    `json:"version"`
	Code    string `json:"code"`
	Data    string `json:"data"`
	Stack   string `json:"stack"`
	C7      string `json:"c7"`
	Gas     int64  `json:"gas"`

	// transaction
	Kind      string `json:"kind"` // message | tick | tock
	Address   string `json:"address"`
	Account   string `json:"account"` // ShardAccount
	Message   string `json:"message"`
	Now       uint32 `json:"now"`
	LT        int64  `json:"lt"`
	BlockLT   int64  `json:"blockLt"`
	Seed      string `json:"seed"`
	Libraries string `json:"libraries"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// run
	Exit  int64  `json:"exit"`
	Gas   int64  `json:"gas"`
	Steps uint32 `json:"steps"`
	Stack string `json:"stack,omitempty"`
	C4    string `json:"c4,omitempty"`
	C5    string `json:"c5,omitempty"`
	// transaction
	Accepted    bool   `json:"accepted,omitempty"`
	Transaction string `json:"transaction,omitempty"`
	Account     string `json:"account,omitempty"`
}

func cellOf(text string) *cell.Cell {
	if text == "" {
		return nil
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	root, err := cell.FromBOC(bytes)
	if err != nil {
		panic(err)
	}
	return root
}

func hostValue(v any) any {
	switch x := v.(type) {
	case []any:
		items := make([]any, len(x))
		for i := range x {
			items[i] = hostValue(x[i])
		}
		return *tuple.NewTuple(items...)
	case tlb.StackNaN:
		return vm.NaN{}
	}
	return v
}

func stackOf(text string) *vm.Stack {
	stack := vm.NewStack()
	root := cellOf(text)
	if root == nil {
		return stack
	}
	var wire tlb.Stack
	if err := wire.LoadFromCell(root.MustBeginParse()); err != nil {
		panic(err)
	}
	var values []any
	for wire.Depth() > 0 {
		value, err := wire.Pop()
		if err != nil {
			panic(err)
		}
		values = append(values, value)
	}
	// The wire has the top first, and the stack just read gives the last one read first.
	for _, value := range values {
		if err := stack.PushHostValue(hostValue(value)); err != nil {
			panic(err)
		}
	}
	return stack
}

// The text of a value: the same as valueText of values.ts.
func valueText(out *strings.Builder, v any) {
	switch x := v.(type) {
	case nil:
		out.WriteString("N")
	case *big.Int:
		out.WriteString(x.String())
	case vm.NaN:
		out.WriteString("NaN")
	case *cell.Cell:
		out.WriteString("C" + hex.EncodeToString(x.Hash()))
	case *cell.Slice:
		out.WriteString("S" + hex.EncodeToString(x.MustToCell().Hash()))
	case *cell.Builder:
		out.WriteString("B" + hex.EncodeToString(x.Copy().EndCell().Hash()))
	case tuple.Tuple:
		out.WriteString("[")
		for i := 0; i < x.Len(); i++ {
			if i > 0 {
				out.WriteString(",")
			}
			item, err := x.Index(i)
			if err != nil {
				panic(err)
			}
			valueText(out, item)
		}
		out.WriteString("]")
	case vm.Continuation:
		out.WriteString("K")
	default:
		out.WriteString(fmt.Sprintf("?%T", v))
	}
}

var configs = map[string]*tvm.PreparedBlockchainConfig{}

func hashOf(c *cell.Cell) string {
	if c == nil {
		return ""
	}
	return hex.EncodeToString(c.Hash())
}

func runCode(r request) answer {
	var c7 tuple.Tuple
	if r.C7 != "" {
		value, err := stackOf(r.C7).PopTuple()
		if err != nil {
			panic(err)
		}
		c7 = value
	}
	data := cellOf(r.Data)
	if data == nil {
		data = cell.BeginCell().EndCell()
	}
	config := tvm.ExecutionConfig{Config: configs[r.Config]}
	if libraries := cellOf(r.Libraries); libraries != nil {
		config.Libraries = []*cell.Cell{libraries}
	}
	result, err := tvm.NewTVM().Execute(cellOf(r.Code), data, c7, vm.GasWithLimit(r.Gas), stackOf(r.Stack), config)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var text strings.Builder
	for i := result.Stack.Len() - 1; i >= 0; i-- {
		value, err := result.Stack.Get(i)
		if err != nil {
			panic(err)
		}
		if text.Len() > 0 {
			text.WriteString(" ")
		}
		valueText(&text, value)
	}
	a := answer{Exit: result.ExitCode, Gas: result.GasUsed, Steps: result.Steps, Stack: text.String()}
	if result.Committed {
		a.C4, a.C5 = hashOf(result.Data), hashOf(result.Actions)
	}
	return a
}

func runTransaction(r request) answer {
	seed, err := hex.DecodeString(r.Seed)
	if err != nil {
		panic(err)
	}
	options := tvm.BlockOptions{Now: r.Now, BlockLT: r.BlockLT, RandSeed: seed}
	if libraries := cellOf(r.Libraries); libraries != nil {
		options.Libraries = []*cell.Cell{libraries}
	}
	block, err := configs[r.Config].NewBlockContext(options)
	if err != nil {
		return answer{Error: err.Error()}
	}
	var shard tlb.ShardAccount
	if err := tlb.Parse(&shard, cellOf(r.Account)); err != nil {
		return answer{Error: err.Error()}
	}
	account, err := tvm.PrepareAccount(&shard, address.MustParseRawAddr(r.Address))
	if err != nil {
		return answer{Error: err.Error()}
	}
	var result *tvm.TransactionExecutionResult
	if r.Kind == "message" {
		message, err := tvm.PrepareMessage(cellOf(r.Message))
		if err != nil {
			return answer{Error: err.Error()}
		}
		result, err = tvm.NewTVM().EmulateTransaction(block, account, message, tvm.TransactionOptions{LogicalTime: r.LT})
		if err != nil {
			return answer{Error: err.Error()}
		}
	} else {
		result, err = tvm.NewTVM().EmulateTickTockTransaction(block, account, r.Kind == "tock", tvm.TransactionOptions{LogicalTime: r.LT})
		if err != nil {
			return answer{Error: err.Error()}
		}
	}
	a := answer{Exit: result.ExitCode, Gas: result.GasUsed, Steps: result.Steps, Accepted: result.Accepted}
	if result.TransactionCell != nil {
		a.Transaction = base64.StdEncoding.EncodeToString(result.TransactionCell.ToBOC())
	}
	return a
}

func serve(r request) (a answer) {
	defer func() {
		if e := recover(); e != nil {
			a = answer{Error: fmt.Sprint("panic: ", e)}
		}
	}()
	switch r.Op {
	case "config":
		config, err := tvm.PrepareBlockchainConfig(cellOf(r.Boc))
		if err != nil {
			return answer{Error: err.Error()}
		}
		configs[r.Config] = config
		return answer{}
	case "run":
		return runCode(r)
	case "transaction":
		return runTransaction(r)
	}
	return answer{Error: "unknown op " + r.Op}
}

func main() {
	in := json.NewDecoder(bufio.NewReaderSize(os.Stdin, 1<<20))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	encoder := json.NewEncoder(out)
	for {
		var r request
		if err := in.Decode(&r); err != nil {
			return
		}
		if err := encoder.Encode(serve(r)); err != nil {
			return
		}
		out.Flush()
	}
}
