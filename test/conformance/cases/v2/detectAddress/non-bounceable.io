// Of a non-bounceable address.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"detectAddress","params":{"address":"UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.utils.detectedAddress","raw_form":"0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8","bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N","b64url":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"},"non_bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":"UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI","b64url":"UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI"},"given_type":"friendly_non_bounceable","test_only":false}}
