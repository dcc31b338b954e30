/** Style of the page at /docs: light or dark by the reader's setting, one column on a phone. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#f6f8fb,#0f141a);--card:light-dark(#fff,#161d26);--ink:light-dark(#15202b,#e4ebf2);--dim:light-dark(#5b6b7b,#8fa1b3);
--line:light-dark(#dfe6ee,#26313d);--accent:light-dark(#0074c2,#4cb8ff);--soft:light-dark(#e6f3fc,#132b3d);--code:light-dark(#f0f3f7,#0b1016);
--good:light-dark(#12743f,#5fd497);--bad:light-dark(#b3261e,#ff8a80);--get:light-dark(#12743f,#5fd497);--post:light-dark(#8a4b00,#f2b25c)}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
code,pre,textarea,.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}
header{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;flex-wrap:wrap;padding:.7rem 1.25rem;background:var(--card);border-bottom:1px solid var(--line)}
header h1{margin:0;font-size:1.1rem;letter-spacing:-.01em}header h1 small{color:var(--dim);font-weight:400;font-size:.8rem;margin-left:.35rem}
header .links{display:flex;gap:.9rem;font-size:.88rem}
header label{margin-left:auto;display:flex;gap:.5rem;align-items:center;color:var(--dim);font-size:.85rem}
input,textarea,select,button{font:inherit;color:inherit}
input,textarea,select{background:var(--code);border:1px solid var(--line);border-radius:7px;padding:.38rem .6rem;min-width:0}
input:focus-visible,textarea:focus-visible,select:focus-visible,button:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:1px}
.layout{display:grid;grid-template-columns:18.5rem minmax(0,1fr);max-width:82rem;margin:0 auto}
nav{position:sticky;top:3.4rem;align-self:start;max-height:calc(100vh - 3.4rem);overflow:auto;padding:1.1rem .75rem 2rem 1.25rem;font-size:.88rem}
nav input{width:100%;margin-bottom:.6rem}
nav h2{margin:1rem 0 .2rem;font-size:.72rem;text-transform:uppercase;letter-spacing:.06em;color:var(--dim)}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:block;padding:.1rem .5rem;border-radius:5px;color:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav li a:hover{background:var(--soft);text-decoration:none}
main{padding:1.25rem 1.25rem 6rem}
main>p{margin:.2rem 0 1rem;color:var(--dim)}
h2.group{margin:2.2rem 0 .7rem;font-size:1.15rem}h2.group:first-of-type{margin-top:.6rem}
h2.group span{color:var(--dim);font-weight:400;margin-right:.45rem}
details.method{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.55rem 0}
details.method[open]{border-color:var(--accent)}
summary{cursor:pointer;list-style:none;padding:.65rem .9rem;display:flex;gap:.35rem .7rem;align-items:baseline;flex-wrap:wrap;border-radius:10px}
summary::-webkit-details-marker{display:none}
summary .name{font-weight:600}summary .what{color:var(--dim);flex:1 1 14rem;min-width:0}
.verb{font-size:.68rem;font-weight:700;letter-spacing:.04em;border:1px solid currentColor;border-radius:5px;padding:0 .35rem;color:var(--dim)}
.verb.get{color:var(--get)}.verb.post{color:var(--post)}
.body{padding:.2rem .9rem 1rem;border-top:1px solid var(--line)}
h3{margin:1.1rem 0 .35rem;font-size:.78rem;text-transform:uppercase;letter-spacing:.05em;color:var(--dim)}
table{border-collapse:collapse;width:100%;font-size:.9rem}
td,th{text-align:left;vertical-align:top;padding:.32rem .8rem .32rem 0;border-top:1px solid var(--line)}tr:first-child>*{border-top:0}
td.num{white-space:nowrap}.must{color:var(--bad);font-size:.78rem}.dim{color:var(--dim)}
.fields{display:grid;grid-template-columns:minmax(7rem,max-content) minmax(0,1fr);gap:.45rem .8rem;align-items:center}
.fields label{font-size:.9rem}.fields textarea,.fields input{width:100%}
.bar{display:flex;gap:.5rem;flex-wrap:wrap;align-items:center;margin:.7rem 0}
button{border:1px solid var(--line);background:var(--card);border-radius:7px;padding:.38rem .8rem;cursor:pointer}
button:hover{border-color:var(--accent)}button.send{background:var(--accent);border-color:var(--accent);color:light-dark(#fff,#06131d);font-weight:600}
button.example{font-size:.85rem;padding:.22rem .6rem;color:var(--accent)}button:disabled{opacity:.55;cursor:default}
pre{margin:.4rem 0 0;background:var(--code);border:1px solid var(--line);border-radius:8px;padding:.7rem .8rem;max-height:28rem;overflow:auto;white-space:pre-wrap}
.told{font-size:.88rem;margin:.6rem 0 0}.told.good{color:var(--good)}.told.bad{color:var(--bad)}
[hidden]{display:none!important}
@media(max-width:52rem){.layout{display:block}nav{position:static;max-height:none;padding:.9rem 1rem 0}nav .all{display:none}nav input{margin:0}
main{padding:.9rem 1rem 5rem}header{position:static;padding:.7rem 1rem}header label{margin-left:0;width:100%}header label input{flex:1}
.fields{grid-template-columns:1fr;gap:.2rem}.fields label{margin-top:.45rem}td,th{padding-right:.5rem}.errors td:nth-child(2),.errors th:nth-child(2){display:none}
.params td{display:block;border:0;padding:.1rem 0}.params tr{display:block;padding:.4rem 0;border-top:1px solid var(--line)}.params tr:first-child{border-top:0}
html{scroll-padding-top:1rem}}
`
