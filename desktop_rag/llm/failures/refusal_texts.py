"""How endpoints word their refusals: patterns collected from servers, clouds and gateways."""

import re

# The request is too long: Anthropic, Bedrock, OpenAI, Google, xAI, Groq, OpenRouter, vLLM, SGLang, TGI, TensorRT-LLM,
# llama.cpp and its Python binding, LM Studio, GPT4All, Mistral, Cohere, Qwen, Kimi, MiniMax, Z.ai, Volcengine, Ollama.
OVERFLOW = re.compile(
    r"prompt is too long|exceeds the context window|context[_ ]length[_ ]exceeded|exceed_context_size|request_too_large"
    r"|context_window_exceeded|input token count.*exceeds the maximum|maximum prompt length is \d"
    r"|reduce the length of the (messages|prompt|input)|maximum context length|maximum model length"
    r"|exceeds? (the )?(available|model'?s?) (maximum )?(context|input)|greater than the context length"
    r"|longer than the (model'?s )?(maximum )?(context|model) ?(length)?|too large for model with \d+ maximum"
    r"|context window exceeds limit|exceeded model token limit|token limit exceeded|exceeds the limit of \d+"
    r"|exceeds? (the )?(maximum )?(allowed )?(context|input) ?(length|window|size)?"
    r"|input (is|was) too long|input length .{0,40}exceeds|too many tokens|prompt too long"
    r"|prompt (size|length) .{0,40}exceed"
    r"|range of input length should be|inputs.{0,4} tokens \+ .{0,4}max_new_tokens|loaded with context length of only"
    r"|n_keep .{0,12}>= n_ctx|prompt exceeds max length|inputs?`? must have less than \d+ tokens"
    r"|input is too large to process|context window limit|context size exceeded|token length exceed"
    r"|(input|prompt|total) tokens? .{0,40}exceed|input token count .{0,40}only supports|tokens? ?超过"
    r"|prompt length .{0,40}greater than max_(seq_len|model_len)|input tokens \d+ ?> ?limit"
    r"|requested tokens? .{0,40}exceed|context (is )?full|too many (input |prompt )tokens|token limit reached"
    r"|(prompt|conversation|message)s?\b.{0,40}\b(too long|longer than the maximum)"
    r"|requested \d+ tokens? but|sequence length .{0,30}(larger|longer|greater|exceed)"
    r"|exceeds? (the )?max(imum)?[ _](seq(uence)?|context|model)[ _]?len|less than max_(context|model|seq)_?len"
    r"|request exceeds the maximum size: \d+ tokens|提示词?(超长|过长)|输入.{0,6}(超长|过长)|prompt ?超长",
    re.IGNORECASE | re.DOTALL,
)
MISSING = re.compile(
    r"model_not_found|models?\b.{0,160}\b(not found|does ?n[o']t exist|not exist|unknown|not loaded)"
    r"|(unknown|invalid|no such|not a valid) model|no models? (is )?loaded"
    r"|model\b.{0,160}\b(deprecated|decommissioned|retired|no longer (supported|available))|DeploymentNotFound"
    r"|deployment .{0,40}does not exist|no endpoints found for \S|requested model .{0,160}not supported",
    re.IGNORECASE | re.DOTALL,
)
_TOOLS = r"[`'\"]?\b(?:tools?|functions?|(?:tool|function)[ _-]?(?:use|call(?:s|ing)?))\b[`'\"]?(?!.?choice)"
NO_TOOLS = re.compile(
    rf"(?:does ?n[o']t|do not|don't|cannot|can't|no) (?:currently )?(?:support|use|accept|allow|have|implement)"
    rf"\w* (?:\w+ )?{_TOOLS}"
    rf"|does ?n[o']t support param(?:eter)?s?:? \[?{_TOOLS}|(?:not support|unsupported|no support) (?:for )?{_TOOLS}"
    rf"|(?:un(?:supported|recogni[sz]ed|known|expected)|invalid|extra)\b[^.]{{0,50}}?"
    rf"(?:param|field|argument|propert|input)\w*\b[^.]{{0,20}}?{_TOOLS}"
    rf"|{_TOOLS}:? (?:param\w* |field )?(?:is|are|was|were)? ?(?:currently )?(?:not|un) ?(?:currently )?"
    rf"(?:supported|available|enabled|allowed|permitted|implemented|expected|recogni[sz]ed)|body\.tools\b"
    r"|\btools['\"]?\)?,? ?['\"]?:? ?(?:'msg'|msg)?['\"]?:? ?['\"]?Extra inputs"
    r"|(?:tool|function)[ _-]?call(?:s|ing)? (?:is|are) disabled|unsupported_tools|not_supported: tools"
    r"|(?:tool|function)[ _-]?call(?:s|ing)? (?:requires?|only works? with) .{0,20}(?:template|model)"
    r"|\bno tools? support"
    r"|tools? param(?:eter)? requires|cannot use tools with|enable-auto-tool-choice|tool-call-parser"
    r"|not capable of (tool|function)|(template|model)\b.{0,40}does not include tool"
    r"|no endpoints found that support tool|not a tool[- ]?(?:use|calling) model"
    r"|不支持.{0,4}(?:工具|函数|function|tool)",
    re.IGNORECASE,
)
KEY_REFUSED = re.compile(r"api[ _-]?key (is )?(not valid|invalid|expired)|invalid[ _](x-)?api[ _-]?key", re.IGNORECASE)
NO_CREDIT = re.compile(r"credit balance is too low|insufficient (balance|credits?|funds)|余额不足", re.IGNORECASE)
NO_MEMORY = re.compile(
    r"requires more (system |gpu )?memory|out of memory|(not enough|insufficient) (gpu |system |free |video )?memory"
    r"|failed to allocate|insufficient system resources",
    re.IGNORECASE,
)
# When to come back, where no header says so: Google's RetryInfo, OpenAI and Groq.
WAIT = re.compile(
    r"(?:retryDelay\W{1,5}|(?:try again|retry) (?:in|after) )"
    r"(?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,4})m(?!s))?(?:(?P<seconds>\d{1,6}(?:\.\d{1,9})?) ?s(?:econds?)?\b)?"
    r"(?:(?P<milliseconds>\d{1,9}(?:\.\d{1,9})?) ?ms\b)?",
    re.IGNORECASE,
)
OVERLOAD = re.compile(r"overloaded|at capacity|too many (concurrent )?requests|server busy", re.IGNORECASE)
WRONG_PATH = re.compile(r"unexpected endpoint|no route|route .*not found|cannot (post|get) /", re.IGNORECASE)
PLAIN_HTTP = re.compile(r"HTTP request (was sent )?to (an )?HTTPS", re.IGNORECASE)  # nginx, Go
