// A page further down.
>> {"jsonrpc":"2.0","id":1,"method":"v3.topAccountsByBalance","params":{"limit":2,"offset":2}}
<< {"jsonrpc":"2.0","id":1,"result":[{"account":"0:77362B5571E1FB968BFEF62FE13646011D95CB4C923DA4E398F61FD51A4DC4D1","balance":"999996556286055"},{"account":"-1:F65AD7C13F44364E39C07E9D0FD308B1005A7B851E5FBDBCA07BBE65F5DAA752","balance":"1761411582802"}]}
