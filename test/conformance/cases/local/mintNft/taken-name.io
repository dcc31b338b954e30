// A name that somebody has.
>> {"jsonrpc":"2.0","id":1,"method":"local.mintNft","params":{"collection":"EQDOMSI-eA3fBh7nh8M0w7kZZ2vszGnAQC2eFa7bjpyNw23S","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","domain":"oak"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"item 78398087064784650787835071217632075214012119091723768499261800560964049928926 exists already","data":{"kind":"INVALID_PARAMS"}}}
