<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>AboutDialog</name>
    <message>
      <source>About Desktop RAG</source>
      <translation>关于 Desktop RAG</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Drop a folder, ask a question, click the line that proves the answer.</source>
      <translation>放入文件夹，提出问题，点击证明答案的那一行。</translation>
    </message>
    <message>
      <source>Free software under the GNU Affero General Public License, version 3 or later.</source>
      <translation>自由软件，依据 GNU Affero 通用公共许可证第 3 版或更新版本发布。</translation>
    </message>
    <message>
      <source>It connects only to addresses you set yourself: to your model, and to one for updates if you ask.</source>
      <translation>它只连接您自己设置的地址：您的模型，以及在您检查更新时的更新地址。</translation>
    </message>
    <message>
      <source>Version {0}</source>
      <translation>版本 {0}</translation>
    </message>
  </context>
  <context>
    <name>ActionDialog</name>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
  </context>
  <context>
    <name>ActiveFilters</name>
    <message>
      <source>Remove this filter</source>
      <translation>移除此筛选条件</translation>
    </message>
  </context>
  <context>
    <name>AdvancedFields</name>
    <message>
      <source>A cheaper model at the same address; the method “Automatic” uses it to sort the questions.</source>
      <translation>同一地址上更便宜的模型；“自动”方法用它来给问题分类。</translation>
    </message>
    <message>
      <source>Default of the model</source>
      <translation>模型的默认值</translation>
    </message>
    <message>
      <source>Fast model</source>
      <translation>快速模型</translation>
    </message>
    <message>
      <source>Fast model's price</source>
      <translation>快速模型的价格</translation>
    </message>
    <message>
      <source>Fast model: input price per million tokens</source>
      <translation>快速模型：每百万输入词元的价格</translation>
    </message>
    <message>
      <source>Fast model: output price per million tokens</source>
      <translation>快速模型：每百万输出词元的价格</translation>
    </message>
    <message>
      <source>Fewer settings</source>
      <translation>较少设置</translation>
    </message>
    <message>
      <source>High</source>
      <translation>高</translation>
    </message>
    <message>
      <source>Input price per million tokens</source>
      <translation>每百万输入词元的价格</translation>
    </message>
    <message>
      <source>Low</source>
      <translation>低</translation>
    </message>
    <message>
      <source>Medium</source>
      <translation>中</translation>
    </message>
    <message>
      <source>Minimal</source>
      <translation>最低</translation>
    </message>
    <message>
      <source>More settings</source>
      <translation>更多设置</translation>
    </message>
    <message>
      <source>None: rules choose how to answer</source>
      <translation>无：由规则决定如何回答</translation>
    </message>
    <message>
      <source>Not set</source>
      <translation>未设置</translation>
    </message>
    <message>
      <source>Off</source>
      <translation>关</translation>
    </message>
    <message>
      <source>Output price per million tokens</source>
      <translation>每百万输出词元的价格</translation>
    </message>
    <message>
      <source>Per million tokens, in any currency. If not set, only tokens are counted.</source>
      <translation>每百万词元，任意货币。不填则只统计词元。</translation>
    </message>
    <message>
      <source>Presets</source>
      <translation>预设</translation>
    </message>
    <message>
      <source>Presets of temperature and top-p</source>
      <translation>温度和 top-p 的预设</translation>
    </message>
    <message>
      <source>Price: input, output</source>
      <translation>价格：输入、输出</translation>
    </message>
    <message>
      <source>Reasoning effort</source>
      <translation>推理强度</translation>
    </message>
    <message>
      <source>Sampling, reasoning effort, fast model and prices</source>
      <translation>采样、推理强度、快速模型和价格</translation>
    </message>
    <message>
      <source>Temperature</source>
      <translation>温度</translation>
    </message>
    <message>
      <source>Top-p</source>
      <translation>Top-p</translation>
    </message>
  </context>
  <context>
    <name>AnswerCommands</name>
    <message>
      <source>Answer again</source>
      <translation>再次回答</translation>
    </message>
    <message>
      <source>Ask again from a step…</source>
      <translation>从某一步重新提问…</translation>
    </message>
    <message>
      <source>Branch from here</source>
      <translation>从这里分支</translation>
    </message>
    <message>
      <source>Compare with another run…</source>
      <translation>与另一次运行比较…</translation>
    </message>
    <message>
      <source>Copy the answer as Markdown</source>
      <translation>以 Markdown 复制答案</translation>
    </message>
    <message>
      <source>Copy the answer as plain text</source>
      <translation>以纯文本复制答案</translation>
    </message>
    <message>
      <source>In an answer and its sources</source>
      <translation>在答案及其来源中</translation>
    </message>
    <message>
      <source>No answer is shown</source>
      <translation>没有显示答案</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>保存到笔记</translation>
    </message>
    <message>
      <source>Search again, without the model</source>
      <translation>不用模型再次搜索</translation>
    </message>
    <message>
      <source>The answer is not complete</source>
      <translation>答案尚未完成</translation>
    </message>
  </context>
  <context>
    <name>AnswerMethods</name>
    <message>
      <source>A variant for comparisons</source>
      <translation>用于比较的变体</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Direct</source>
      <translation>直接</translation>
    </message>
    <message>
      <source>Finds the words themselves, nothing by meaning</source>
      <translation>只找词语本身，不按含义</translation>
    </message>
    <message>
      <source>From the model's memory, without your documents</source>
      <translation>凭模型的记忆，不用您的文档</translation>
    </message>
    <message>
      <source>Literal</source>
      <translation>字面</translation>
    </message>
    <message>
      <source>Naive RAG</source>
      <translation>朴素 RAG</translation>
    </message>
    <message>
      <source>One search, one answer</source>
      <translation>一次搜索，一个答案</translation>
    </message>
    <message>
      <source>Plans first, then searches in plain language</source>
      <translation>先计划，再用自然语言搜索</translation>
    </message>
    <message>
      <source>Plans first, then searches with AND, OR and NOT</source>
      <translation>先计划，再用 AND、OR 和 NOT 搜索</translation>
    </message>
    <message>
      <source>Quick</source>
      <translation>快速</translation>
    </message>
    <message>
      <source>Quick for simple questions, several steps for others</source>
      <translation>简单问题快速回答，其他问题分步回答</translation>
    </message>
    <message>
      <source>Searches, reads and checks in several steps</source>
      <translation>分几步搜索、阅读和核对</translation>
    </message>
    <message>
      <source>Searches, then finds and opens inside the documents</source>
      <translation>先搜索，再在文档中查找和打开</translation>
    </message>
    <message>
      <source>The five nearest passages, one answer</source>
      <translation>最接近的五段，一个答案</translation>
    </message>
    <message>
      <source>Thorough</source>
      <translation>深入</translation>
    </message>
    <message>
      <source>Words or meaning, then whole passages, one tool at a time</source>
      <translation>按词语或含义，再读整段，一次一个工具</translation>
    </message>
  </context>
  <context>
    <name>AnswerView</name>
    <message>
      <source>Answer</source>
      <translation>答案</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Copy answer as Markdown</source>
      <translation>将答案复制为 Markdown</translation>
    </message>
    <message>
      <source>Copy answer as plain text</source>
      <translation>将答案复制为纯文本</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>The file: {note}.</source>
      <translation>文件：{note}。</translation>
    </message>
  </context>
  <context>
    <name>AnswersPage</name>
    <message>
      <source>A second look by the model</source>
      <translation>由模型再看一遍</translation>
    </message>
    <message>
      <source>A statement without a source in your documents</source>
      <translation>文档中没有来源的陈述</translation>
    </message>
    <message>
      <source>Costs one more request, about 130 tokens a statement. What the model reads counts only with words that stand in these lines. Off: what nobody compared is shown as “not checked”.</source>
      <translation>多一次请求，每条陈述约 130 个词元。只有所依据的文字确实在这些行中，模型的判断才算数。关闭时：没有对照过的陈述显示为“未核对”。</translation>
    </message>
    <message>
      <source>Have the model compare statements with their lines</source>
      <translation>让模型把每条陈述与它引用的行对照</translation>
    </message>
    <message>
      <source>Mark it</source>
      <translation>标记</translation>
    </message>
    <message>
      <source>Models also state what they remember from their training. A statement without a citation is always marked or replaced.</source>
      <translation>模型也会说出训练中记住的内容。没有引用的陈述总会被标记或替换。</translation>
    </message>
    <message>
      <source>Replace it with a note</source>
      <translation>替换为说明</translation>
    </message>
    <message>
      <source>Suggest questions below the last answer</source>
      <translation>在最后的答案下建议问题</translation>
    </message>
    <message>
      <source>The next question</source>
      <translation>下一个问题</translation>
    </message>
    <message>
      <source>They are made from the lines that were read, without asking a model.</source>
      <translation>它们由已读的行生成，不询问模型。</translation>
    </message>
  </context>
  <context>
    <name>App</name>
    <message>
      <source>Built-in (no model)</source>
      <translation>内置（无模型）</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Link copied</source>
      <translation>链接已复制</translation>
    </message>
    <message>
      <source>Quote copied</source>
      <translation>引文已复制</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Summarise this document in five sentences. Then write three questions that it answers.</source>
      <translation>用五句话概括这份文档，然后写出它能回答的三个问题。</translation>
    </message>
    <message>
      <source>“{0}” failed: {1}</source>
      <translation>“{0}”失败：{1}</translation>
    </message>
    <message>
      <source>“{0}” has its answer</source>
      <translation>“{0}”已有答案</translation>
    </message>
    <message>
      <source>“{0}” has reached a limit and asks whether to go on</source>
      <translation>“{0}”达到了限制，询问是否继续</translation>
    </message>
    <message>
      <source>“{0}” was stopped</source>
      <translation>“{0}”已停止</translation>
    </message>
    <message>
      <source>“{0}”: no answer found in your library</source>
      <translation>“{0}”：在您的资料库中未找到答案</translation>
    </message>
  </context>
  <context>
    <name>AppearancePage</name>
    <message>
      <source> %</source>
      <translation> %</translation>
    </message>
    <message>
      <source>Another language is used from the next start on.</source>
      <translation>新语言从下次启动起使用。</translation>
    </message>
    <message>
      <source>Comfortable</source>
      <translation>宽松</translation>
    </message>
    <message>
      <source>Compact: more rows on the screen</source>
      <translation>紧凑：屏幕上显示更多行</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Density</source>
      <translation>密度</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>与系统相同</translation>
    </message>
    <message>
      <source>Size of the text</source>
      <translation>文字大小</translation>
    </message>
    <message>
      <source>The font size of the whole window, answers and documents included. 100 % is that of the system.</source>
      <translation>整个窗口的字体大小，包括回答和文档。100 % 为系统字体大小。</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>主题</translation>
    </message>
  </context>
  <context>
    <name>AttachFolderDialog</name>
    <message>
      <source>Add to the library</source>
      <translation>添加到资料库</translation>
    </message>
    <message>
      <source>Attached, only this conversation finds it, and forgets it when you delete the conversation.</source>
      <translation>作为附件时，只有此对话能找到它，删除对话时也会一并忘记它。</translation>
    </message>
    <message>
      <source>In the library every conversation and every search finds it.</source>
      <translation>在资料库中，所有对话和搜索都能找到它。</translation>
    </message>
    <message>
      <source>Only this conversation</source>
      <translation>仅此对话</translation>
    </message>
    <message>
      <source>Where does “{0}” belong?</source>
      <translation>“{0}”应放在哪里？</translation>
    </message>
  </context>
  <context>
    <name>AttachmentChip</name>
    <message numerus="yes">
      <source>%Ln file(s) (has|have) only pictures, no text</source>
      <translation>
        <numerusform>%Ln 个文件只有图片，没有文字</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) (is|are) being read</source>
      <translation>
        <numerusform>正在读取 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) (is|are) not read yet</source>
      <translation>
        <numerusform>%Ln 个文件尚未读取</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) cannot be read</source>
      <translation>
        <numerusform>%Ln 个文件无法读取</numerusform>
      </translation>
    </message>
    <message>
      <source>Click to open it, × to remove it from this conversation.</source>
      <translation>点击打开；点 × 从此对话中移除。</translation>
    </message>
    <message>
      <source>It cannot be read.</source>
      <translation>无法读取。</translation>
    </message>
    <message>
      <source>It has no files</source>
      <translation>其中没有文件</translation>
    </message>
    <message>
      <source>Searched in this conversation only</source>
      <translation>仅在此对话中搜索</translation>
    </message>
    <message>
      <source>empty</source>
      <translation>空</translation>
    </message>
    <message>
      <source>no text</source>
      <translation>无文字</translation>
    </message>
    <message>
      <source>not read</source>
      <translation>未读取</translation>
    </message>
    <message>
      <source>reading…</source>
      <translation>正在读取…</translation>
    </message>
    <message>
      <source>waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <source>{0}, attached to this conversation; Delete removes it</source>
      <translation>{0}，已附加到此对话；按 Delete 移除</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}：{1}</translation>
    </message>
  </context>
  <context>
    <name>AttachmentControl</name>
    <message>
      <source>A team library takes no attachments. Ask about files in a library on this computer.</source>
      <translation>团队资料库不接受附件。请在本机的资料库中询问文件。</translation>
    </message>
    <message>
      <source>Attach files to this conversation</source>
      <translation>将文件附加到此对话</translation>
    </message>
    <message>
      <source>“{0}” is no longer attached</source>
      <translation>已移除附件“{0}”</translation>
    </message>
  </context>
  <context>
    <name>Banner</name>
    <message>
      <source>Below is the current file.</source>
      <translation>下面是当前的文件。</translation>
    </message>
    <message>
      <source>Hide this note</source>
      <translation>隐藏此提示</translation>
    </message>
    <message>
      <source>It no longer contains the quoted words. Below is the current file.</source>
      <translation>其中已没有引用的文字。下面是当前的文件。</translation>
    </message>
    <message>
      <source>It still contains the quoted words, now on {0}.</source>
      <translation>其中仍有引用的文字，现在位于{0}。</translation>
    </message>
    <message>
      <source>Its text is shown as it was last read.</source>
      <translation>显示的是上次读取的文本。</translation>
    </message>
    <message>
      <source>Only a part of this file could be read</source>
      <translation>此文件只有一部分能读取</translation>
    </message>
    <message>
      <source>The folder of this file is not connected</source>
      <translation>此文件所在的文件夹未连接</translation>
    </message>
    <message>
      <source>This file has changed since it was found</source>
      <translation>此文件在被找到之后已更改</translation>
    </message>
    <message>
      <source>This file has changed since the answer was written</source>
      <translation>答案写成后此文件已更改</translation>
    </message>
    <message>
      <source>This file is no longer in your library</source>
      <translation>此文件已不在您的资料库中</translation>
    </message>
    <message>
      <source>This is the passage as it was when the answer was written.</source>
      <translation>这是答案写成时的段落。</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>重试</translation>
    </message>
  </context>
  <context>
    <name>BlockButtons</name>
    <message>
      <source>Copy code</source>
      <translation>复制代码</translation>
    </message>
    <message>
      <source>Copy table as CSV</source>
      <translation>将表格复制为 CSV</translation>
    </message>
  </context>
  <context>
    <name>BookmarkControl</name>
    <message>
      <source>Bookmarked</source>
      <translation>已加书签</translation>
    </message>
    <message>
      <source>Bookmarked with your note</source>
      <translation>已加书签和您的笔记</translation>
    </message>
    <message>
      <source>Bookmarks and notes saved to {0}</source>
      <translation>书签和笔记已保存到 {0}</translation>
    </message>
  </context>
  <context>
    <name>BookmarkList</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation>书签和笔记</translation>
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation>删除书签</translation>
    </message>
    <message>
      <source>Edit the note…</source>
      <translation>编辑笔记…</translation>
    </message>
    <message>
      <source>Show this passage</source>
      <translation>显示这一段</translation>
    </message>
  </context>
  <context>
    <name>Bookmarking</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation>书签和笔记</translation>
    </message>
    <message>
      <source>Export bookmarks and notes</source>
      <translation>导出书签和笔记</translation>
    </message>
    <message>
      <source>Markdown (*.md)</source>
      <translation>Markdown (*.md)</translation>
    </message>
  </context>
  <context>
    <name>BookmarksDialog</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation>书签和笔记</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>导出为 Markdown…</translation>
    </message>
    <message>
      <source>Find a bookmark or note</source>
      <translation>查找书签或笔记</translation>
    </message>
    <message>
      <source>No bookmark contains these words.</source>
      <translation>没有书签包含这些词。</translation>
    </message>
    <message>
      <source>Nothing is bookmarked yet.
Open a document and press Ctrl+M at a passage.</source>
      <translation>还没有书签。
打开文档，在某一段按 Ctrl+M。</translation>
    </message>
  </context>
  <context>
    <name>BrowserDialog</name>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>It comes from a document, an answer or a server. {0} receives all of it.</source>
      <translation>它来自文档、回答或服务器。{0} 会收到其全部内容。</translation>
    </message>
    <message>
      <source>Open an address of {0}?</source>
      <translation>打开 {0} 的地址？</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>在浏览器中打开</translation>
    </message>
  </context>
  <context>
    <name>BudgetDialog</name>
    <message numerus="yes">
      <source>%Ln cell(s)</source>
      <translation>
        <numerusform>%Ln 个单元格</numerusform>
      </translation>
    </message>
    <message>
      <source>Every value is kept as it comes. You can stop at any time and go on later.</source>
      <translation>每个值一得到就会保留。您可以随时停止，以后再继续。</translation>
    </message>
    <message>
      <source>Fill</source>
      <translation>填写</translation>
    </message>
    <message>
      <source>Fill the table?</source>
      <translation>填写表格？</translation>
    </message>
    <message>
      <source>That is at most {0}.</source>
      <translation>费用最多为 {0}。</translation>
    </message>
    <message>
      <source>{0} by {1}: at most {2} requests and {3} tokens.</source>
      <translation>{0}，使用 {1}：最多 {2} 次请求和 {3} 个词元。</translation>
    </message>
  </context>
  <context>
    <name>CallGroup</name>
    <message numerus="yes">
      <source>%Ln action(s) at once</source>
      <translation>
        <numerusform>同时进行的 %Ln 个操作</numerusform>
      </translation>
    </message>
    <message>
      <source>{0} of {1} done</source>
      <translation>已完成 {0}/{1}</translation>
    </message>
  </context>
  <context>
    <name>CallGroupHeader</name>
    <message>
      <source>Hides these actions</source>
      <translation>隐藏这些操作</translation>
    </message>
    <message>
      <source>Shows these actions</source>
      <translation>显示这些操作</translation>
    </message>
  </context>
  <context>
    <name>CitationButtons</name>
    <message>
      <source>Citation {0} of {1}</source>
      <translation>引用 {0}，共 {1}</translation>
    </message>
    <message>
      <source>Next citation of this answer</source>
      <translation>本答案的下一个引用</translation>
    </message>
    <message>
      <source>Previous citation of this answer</source>
      <translation>本答案的上一个引用</translation>
    </message>
    <message>
      <source>{0} / {1}</source>
      <translation>{0} / {1}</translation>
    </message>
  </context>
  <context>
    <name>CitationCard</name>
    <message>
      <source>Citation {number}: {name}, {place}</source>
      <translation>引用 {number}：{name}，{place}</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>复制引文和出处</translation>
    </message>
    <message>
      <source>Keep this card open</source>
      <translation>让此卡片保持打开</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>The cited lines on their page</source>
      <translation>引用的行所在的页面</translation>
    </message>
  </context>
  <context>
    <name>CitationMenu</name>
    <message>
      <source>Copy as BibTeX</source>
      <translation>复制为 BibTeX</translation>
    </message>
    <message>
      <source>Copy as CSL-JSON</source>
      <translation>复制为 CSL-JSON</translation>
    </message>
    <message>
      <source>Copy as Markdown</source>
      <translation>复制为 Markdown</translation>
    </message>
    <message>
      <source>Copy link</source>
      <translation>复制链接</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Copy path and lines</source>
      <translation>复制路径和行号</translation>
    </message>
    <message>
      <source>Copy quote</source>
      <translation>复制引文</translation>
    </message>
    <message>
      <source>Copy reference</source>
      <translation>复制出处</translation>
    </message>
    <message>
      <source>Open the source</source>
      <translation>打开来源</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>保存到笔记</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Show the passage</source>
      <translation>显示段落</translation>
    </message>
  </context>
  <context>
    <name>CommandPalette</name>
    <message>
      <source>Commands</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Find a command</source>
      <translation>查找命令</translation>
    </message>
    <message>
      <source>Nothing has this name</source>
      <translation>没有这个名称</translation>
    </message>
    <message>
      <source>Type a command, document, conversation or setting</source>
      <translation>输入命令、文档、对话或设置</translation>
    </message>
  </context>
  <context>
    <name>CommandRow</name>
    <message>
      <source>Command</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
  </context>
  <context>
    <name>ComparedAnswers</name>
    <message>
      <source>Answer: {0}</source>
      <translation>答案：{0}</translation>
    </message>
    <message>
      <source>Comparing the answers …</source>
      <translation>正在比较答案…</translation>
    </message>
    <message>
      <source>Next part</source>
      <translation>下一部分</translation>
    </message>
    <message>
      <source>Only here: {0}</source>
      <translation>仅此处：{0}</translation>
    </message>
    <message>
      <source>Part {place} of {count}</source>
      <translation>第 {place} 部分，共 {count} 部分</translation>
    </message>
    <message>
      <source>Parts of long answers</source>
      <translation>长答案的各部分</translation>
    </message>
    <message>
      <source>Previous part</source>
      <translation>上一部分</translation>
    </message>
  </context>
  <context>
    <name>ComparisonDialog</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Compare runs</source>
      <translation>比较运行</translation>
    </message>
    <message>
      <source>Run to compare with</source>
      <translation>要比较的运行</translation>
    </message>
    <message>
      <source>The same searches, now</source>
      <translation>现在的相同搜索</translation>
    </message>
  </context>
  <context>
    <name>Composer</name>
    <message>
      <source>Allow more steps</source>
      <translation>允许更多步骤</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Ask your documents</source>
      <translation>向您的文档提问</translation>
    </message>
    <message>
      <source>Attach files to this conversation</source>
      <translation>将文件附加到此对话</translation>
    </message>
    <message>
      <source>Attach files…</source>
      <translation>附加文件…</translation>
    </message>
    <message>
      <source>Built-in (no model)</source>
      <translation>内置（无模型）</translation>
    </message>
    <message>
      <source>Connect a model…</source>
      <translation>连接模型…</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Earlier question</source>
      <translation>之前的问题</translation>
    </message>
    <message>
      <source>In the question field</source>
      <translation>在提问框中</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Method: {name}</source>
      <translation>方法：{name}</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Model: {name}</source>
      <translation>模型：{name}</translation>
    </message>
    <message>
      <source>New line</source>
      <translation>换行</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Research</source>
      <translation>研究</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>停止回答</translation>
    </message>
    <message>
      <source>Write a note to the model; it reads it before its next step</source>
      <translation>给模型写一条备注；它在下一步之前阅读</translation>
    </message>
  </context>
  <context>
    <name>ComputedSums</name>
    <message>
      <source>Computed here:</source>
      <translation>此处算出：</translation>
    </message>
  </context>
  <context>
    <name>ConnectCards</name>
    <message>
      <source>A GGUF file runs in this program, without another one. Nothing leaves this computer.</source>
      <translation>GGUF 文件在本程序中运行，无需其他程序。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
      <source>A model file</source>
      <translation>模型文件</translation>
    </message>
    <message>
      <source>A provider and a key</source>
      <translation>提供商和密钥</translation>
    </message>
    <message>
      <source>Address of the new model</source>
      <translation>新模型的地址</translation>
    </message>
    <message>
      <source>Another address</source>
      <translation>其他地址</translation>
    </message>
    <message>
      <source>Choose a model file…</source>
      <translation>选择模型文件…</translation>
    </message>
    <message>
      <source>Choose a provider</source>
      <translation>选择提供商</translation>
    </message>
    <message>
      <source>Click the model to answer with</source>
      <translation>点击用来回答的模型</translation>
    </message>
    <message>
      <source>Connecting…</source>
      <translation>正在连接…</translation>
    </message>
    <message>
      <source>Found on this computer</source>
      <translation>在这台电脑上找到的</translation>
    </message>
    <message>
      <source>Key of the new model</source>
      <translation>新模型的密钥</translation>
    </message>
    <message>
      <source>Keys are made at {0}.</source>
      <translation>密钥在 {0} 创建。</translation>
    </message>
    <message>
      <source>Look for models</source>
      <translation>查找模型</translation>
    </message>
    <message>
      <source>Looking…</source>
      <translation>正在查找…</translation>
    </message>
    <message>
      <source>Name of the new model</source>
      <translation>新模型的名称</translation>
    </message>
    <message>
      <source>No model answered on this computer. Start Ollama, LM Studio or another one, and look again.</source>
      <translation>这台电脑上没有模型应答。请启动 Ollama、LM Studio 或其他程序，然后再次查找。</translation>
    </message>
    <message>
      <source>Ollama, LM Studio, llama.cpp and others. A click looks for them on this computer only.</source>
      <translation>Ollama、LM Studio、llama.cpp 等。点击后仅在本机上查找。</translation>
    </message>
    <message>
      <source>Passages that answer your questions are sent there. You are asked before the first one is.</source>
      <translation>回答问题所用的段落会发送到那里。首次发送前会询问您。</translation>
    </message>
    <message>
      <source>Paste the key; it is kept in the keychain of your system</source>
      <translation>粘贴密钥；它保存在系统的钥匙串中</translation>
    </message>
    <message>
      <source>Provider</source>
      <translation>服务商</translation>
    </message>
    <message>
      <source>Show its models</source>
      <translation>显示其模型</translation>
    </message>
    <message>
      <source>Use this model</source>
      <translation>使用此模型</translation>
    </message>
  </context>
  <context>
    <name>ConnectionFields</name>
    <message>
      <source> seconds</source>
      <translation> 秒</translation>
    </message>
    <message>
      <source>A local server may load the model and read a long prompt first.</source>
      <translation>本地服务器可能需要先加载模型并读取较长的提示。</translation>
    </message>
    <message>
      <source>API</source>
      <translation>API</translation>
    </message>
    <message>
      <source>API, certificates, proxy, waiting time and this computer only</source>
      <translation>API、证书、代理、等待时间，以及仅限本机</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Automatic asks for chat completions until the model demands the other one.</source>
      <translation>“自动”先请求 chat completions，直到模型要求另一种。</translation>
    </message>
    <message>
      <source>Certificate file</source>
      <translation>证书文件</translation>
    </message>
    <message>
      <source>Choose a certificate file</source>
      <translation>选择证书文件</translation>
    </message>
    <message>
      <source>Choose a client certificate</source>
      <translation>选择客户端证书</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Client certificate</source>
      <translation>客户端证书</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>连接</translation>
    </message>
    <message>
      <source>First words within</source>
      <translation>首词等待时间</translation>
    </message>
    <message>
      <source>Hide the connection</source>
      <translation>隐藏连接设置</translation>
    </message>
    <message>
      <source>Nothing is sent if the address is, or becomes, that of another computer.</source>
      <translation>如果地址属于另一台电脑，或以后改为另一台电脑，则不发送任何内容。</translation>
    </message>
    <message>
      <source>Only if it is asked for</source>
      <translation>仅在被要求时</translation>
    </message>
    <message>
      <source>Only on this computer</source>
      <translation>仅限本机</translation>
    </message>
    <message>
      <source>Proxy</source>
      <translation>代理</translation>
    </message>
    <message>
      <source>The system's certificates</source>
      <translation>系统证书</translation>
    </message>
    <message>
      <source>The system's; “{0}” for none</source>
      <translation>系统代理；“{0}”表示不使用</translation>
    </message>
    <message>
      <source>What it was found to take…</source>
      <translation>它接受什么…</translation>
    </message>
  </context>
  <context>
    <name>ConversationControl</name>
    <message>
      <source>Wait for this answer, or press Stop to ask the next question.</source>
      <translation>请等待此答案，或按“停止”再问下一个问题。</translation>
    </message>
  </context>
  <context>
    <name>ConversationExport</name>
    <message>
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>JSON</source>
      <translation>JSON</translation>
    </message>
    <message>
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <source>PDF</source>
      <translation>PDF</translation>
    </message>
    <message>
      <source>Sources</source>
      <translation>来源</translation>
    </message>
    <message>
      <source>Sources as BibTeX</source>
      <translation>来源（BibTeX）</translation>
    </message>
    <message>
      <source>Sources as CSL-JSON</source>
      <translation>来源（CSL-JSON）</translation>
    </message>
    <message>
      <source>Sources as RIS</source>
      <translation>来源（RIS）</translation>
    </message>
    <message>
      <source>This answer is not complete.</source>
      <translation>此回答不完整。</translation>
    </message>
    <message>
      <source>Web page</source>
      <translation>网页</translation>
    </message>
    <message>
      <source>Word document</source>
      <translation>Word 文档</translation>
    </message>
    <message>
      <source>it is read-only</source>
      <translation>它是只读的</translation>
    </message>
    <message>
      <source>{file}, {place}</source>
      <translation>{file}，{place}</translation>
    </message>
    <message>
      <source>{file}, {place}: “{quote}”</source>
      <translation>{file}，{place}：“{quote}”</translation>
    </message>
    <message>
      <source>{path} cannot be written ({reason}). Nothing there was changed; choose another place.</source>
      <translation>无法写入 {path}（{reason}）。那里没有任何改动；请选择其他位置。</translation>
    </message>
  </context>
  <context>
    <name>ConversationGroups</name>
    <message>
      <source>Archived</source>
      <translation>已归档</translation>
    </message>
    <message>
      <source>Earlier in {0}</source>
      <translation>{0}更早</translation>
    </message>
    <message>
      <source>Pinned</source>
      <translation>已置顶</translation>
    </message>
    <message>
      <source>This week</source>
      <translation>本周</translation>
    </message>
    <message>
      <source>Today</source>
      <translation>今天</translation>
    </message>
    <message>
      <source>Yesterday</source>
      <translation>昨天</translation>
    </message>
    <message>
      <source>{0} {1}</source>
      <translation>{1} {0}</translation>
    </message>
  </context>
  <context>
    <name>ConversationPane</name>
    <message>
      <source>Card of a citation; again: keep it open</source>
      <translation>引用卡片；再按一次：保持打开</translation>
    </message>
    <message>
      <source>Close the card</source>
      <translation>关闭卡片</translation>
    </message>
    <message>
      <source>Next citation</source>
      <translation>下一个引用</translation>
    </message>
    <message>
      <source>Open the citation</source>
      <translation>打开引用</translation>
    </message>
  </context>
  <context>
    <name>ConversationRepository</name>
    <message>
      <source>Your conversations</source>
      <translation>您的对话</translation>
    </message>
  </context>
  <context>
    <name>ConversationView</name>
    <message>
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Jump to latest</source>
      <translation>跳到最新</translation>
    </message>
  </context>
  <context>
    <name>ConversationsModel</name>
    <message>
      <source>Being answered</source>
      <translation>正在回答</translation>
    </message>
    <message>
      <source>Draft</source>
      <translation>草稿</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>Interrupted</source>
      <translation>已中断</translation>
    </message>
    <message>
      <source>New answer</source>
      <translation>新答案</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>Queued</source>
      <translation>排队中</translation>
    </message>
    <message>
      <source>Tags: {0}</source>
      <translation>标签：{0}</translation>
    </message>
    <message>
      <source>Yesterday</source>
      <translation>昨天</translation>
    </message>
    <message>
      <source>folded</source>
      <translation>已折叠</translation>
    </message>
    <message>
      <source>unfolded</source>
      <translation>已展开</translation>
    </message>
  </context>
  <context>
    <name>ConversationsPanel</name>
    <message>
      <source>Archive</source>
      <translation>归档</translation>
    </message>
    <message>
      <source>Back from the archive</source>
      <translation>取消归档</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Conversations</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>No conversation has these words</source>
      <translation>没有对话包含这些词</translation>
    </message>
    <message>
      <source>No conversation is selected</source>
      <translation>未选择对话</translation>
    </message>
    <message>
      <source>On the selected conversation</source>
      <translation>对所选对话</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Pin</source>
      <translation>置顶</translation>
    </message>
    <message>
      <source>Print…</source>
      <translation>打印…</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Search conversations</source>
      <translation>搜索对话</translation>
    </message>
    <message>
      <source>Tags…</source>
      <translation>标签…</translation>
    </message>
    <message>
      <source>Unpin</source>
      <translation>取消置顶</translation>
    </message>
    <message>
      <source>Words of titles, questions and answers; tag:name for a tag</source>
      <translation>标题、问题和答案中的词；用 tag:名称 查找标签</translation>
    </message>
    <message>
      <source>Your questions are kept here</source>
      <translation>您的问题会保存在这里</translation>
    </message>
  </context>
  <context>
    <name>CoverageCard</name>
    <message>
      <source> Not searched: {gaps}.</source>
      <translation> 未搜索：{gaps}。</translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln excluded file(s)</source>
      <translation>
        <numerusform>%Ln 个排除的文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) not indexed yet</source>
      <translation>
        <numerusform>%Ln 个尚未编入索引的文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) that could not be read</source>
      <translation>
        <numerusform>%Ln 个无法读取的文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation>
        <numerusform>%Ln 行</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln of them</source>
      <translation>
        <numerusform>其中 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln 段</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln quer(y|ies)</source>
      <translation>
        <numerusform>%Ln 次搜索</numerusform>
      </translation>
    </message>
    <message>
      <source>Hide what was searched</source>
      <translation>隐藏搜索内容</translation>
    </message>
    <message>
      <source>In no document</source>
      <translation>不在任何文档中</translation>
    </message>
    <message>
      <source>No search was run in {documents}</source>
      <translation>没有在{documents}中搜索</translation>
    </message>
    <message>
      <source>Not searched</source>
      <translation>未搜索</translation>
    </message>
    <message>
      <source>Read</source>
      <translation>已读</translation>
    </message>
    <message>
      <source>Searched</source>
      <translation>已搜索</translation>
    </message>
    <message>
      <source>Searched {documents} with {queries}</source>
      <translation>用{queries}搜索了{documents}</translation>
    </message>
    <message>
      <source>Show what was searched</source>
      <translation>显示搜索内容</translation>
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation>
        <numerusform>还有 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>pages without text in %Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件中没有文本的页面</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>parts of %Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件的部分内容</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>the best %Ln passage(s)</source>
      <translation>
        <numerusform>最佳的 %Ln 处</numerusform>
      </translation>
    </message>
    <message>
      <source>{name}: {lines}</source>
      <translation>{name}：{lines}</translation>
    </message>
    <message>
      <source>{path} is not connected; the text indexed last was searched</source>
      <translation>{path} 未连接；搜索的是上次编入索引的文本</translation>
    </message>
    <message>
      <source>{searched}, read {read}</source>
      <translation>{searched}，已读{read}</translation>
    </message>
    <message>
      <source>{share} of the text by meaning</source>
      <translation>{share} 的文本按含义</translation>
    </message>
    <message>
      <source>“{query}” ({mode}): {passages}</source>
      <translation>“{query}”（{mode}）：{passages}</translation>
    </message>
  </context>
  <context>
    <name>DateHistogram</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Date</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>{0}: {1} documents</source>
      <translation>{0}：{1} 个文档</translation>
    </message>
  </context>
  <context>
    <name>DesktopControl</name>
    <message>
      <source>Some texts are not translated: the translations are older than the program. {0}</source>
      <translation>部分文字未翻译：翻译比程序旧。{0}</translation>
    </message>
    <message>
      <source>{0} cannot be used everywhere: another program may have it. Settings → Desktop changes it.</source>
      <translation>{0} 无法全局使用：可能已被其他程序占用。可在“设置 → 桌面”中更改。</translation>
    </message>
  </context>
  <context>
    <name>DesktopPage</name>
    <message>
      <source>Accent colour of the system</source>
      <translation>系统强调色</translation>
    </message>
    <message>
      <source>After 15 seconds or more, while you use another program. A click shows it.</source>
      <translation>用时 15 秒以上且您正在使用其他程序时通知。点击即可查看。</translation>
    </message>
    <message>
      <source>Closing the window then only hides it; the icon opens it again and quits the program.</source>
      <translation>关闭窗口时仅将其隐藏；可通过图标重新打开或退出程序。</translation>
    </message>
    <message>
      <source>Ctrl, Alt or the logo key with a letter, a digit, Space or F1 to F35. Empty: none.</source>
      <translation>Ctrl、Alt 或徽标键加字母、数字、空格或 F1 至 F35。留空：无。</translation>
    </message>
    <message>
      <source>Dark paper for printed pages in the dark theme</source>
      <translation>深色主题中印刷页面使用深色纸张</translation>
    </message>
    <message>
      <source>Icon in the tray</source>
      <translation>托盘图标</translation>
    </message>
    <message>
      <source>In the tray, or else minimised, so that new files are searchable when you need them.</source>
      <translation>在托盘中或以最小化方式启动，以便新文件在您需要时已可搜索。</translation>
    </message>
    <message>
      <source>Key that opens the window from anywhere</source>
      <translation>在任何地方打开窗口的快捷键</translation>
    </message>
    <message>
      <source>Look</source>
      <translation>外观</translation>
    </message>
    <message>
      <source>Made lighter or darker where it could not be read.</source>
      <translation>在难以辨读之处会调亮或调暗。</translation>
    </message>
    <message>
      <source>No animations. Also without this box if your system asks for it.</source>
      <translation>不显示动画。若系统要求，即使不勾选也会如此。</translation>
    </message>
    <message>
      <source>Not available on this desktop</source>
      <translation>此桌面环境不支持</translation>
    </message>
    <message>
      <source>Nothing moves by itself</source>
      <translation>无自动动画</translation>
    </message>
    <message>
      <source>Notifications</source>
      <translation>通知</translation>
    </message>
    <message>
      <source>Others may read it on the screen. A notification never contains text of a document.</source>
      <translation>他人可能在屏幕上看到它。通知中绝不包含文档的文字。</translation>
    </message>
    <message>
      <source>Photographs keep their colours. The file does not change.</source>
      <translation>照片保持原色。文件不会改变。</translation>
    </message>
    <message>
      <source>Start and end</source>
      <translation>启动与退出</translation>
    </message>
    <message>
      <source>Start when you log in</source>
      <translation>登录时启动</translation>
    </message>
    <message>
      <source>Tell when a long answer or a new library is ready</source>
      <translation>较长的回答或新资料库就绪时通知</translation>
    </message>
    <message>
      <source>With the words of the question</source>
      <translation>包含问题内容</translation>
    </message>
  </context>
  <context>
    <name>DiagnosticsPage</name>
    <message numerus="yes">
      <source>%Ln file(s) found</source>
      <translation>
        <numerusform>找到 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>All</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Check now</source>
      <translation>立即检查</translation>
    </message>
    <message>
      <source>Checked: {0}</source>
      <translation>已检查：{0}</translation>
    </message>
    <message>
      <source>Compare every part of the library with what was stored</source>
      <translation>将资料库的每个部分与所存储的内容比对</translation>
    </message>
    <message>
      <source>Copy a report</source>
      <translation>复制报告</translation>
    </message>
    <message>
      <source>Damaged: {0}. It is being repaired in the background, from what is stored.</source>
      <translation>已损坏：{0}。正在后台用已存储的内容修复。</translation>
    </message>
    <message>
      <source>Data folder</source>
      <translation>数据文件夹</translation>
    </message>
    <message>
      <source>Errors</source>
      <translation>错误</translation>
    </message>
    <message>
      <source>Everything is as it was stored: {0}.</source>
      <translation>一切与存储时一致：{0}。</translation>
    </message>
    <message>
      <source>Lines of the log</source>
      <translation>日志行</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <source>Nothing of this kind was logged.</source>
      <translation>没有此类日志。</translation>
    </message>
    <message>
      <source>Processors</source>
      <translation>处理器</translation>
    </message>
    <message>
      <source>Read again</source>
      <translation>重新读取</translation>
    </message>
    <message>
      <source>State of the library</source>
      <translation>资料库状态</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>System</source>
      <translation>系统</translation>
    </message>
    <message>
      <source>The check was stopped.</source>
      <translation>检查已停止。</translation>
    </message>
    <message>
      <source>The library is being checked …</source>
      <translation>正在检查资料库……</translation>
    </message>
    <message>
      <source>The report is on the clipboard.</source>
      <translation>报告已复制到剪贴板。</translation>
    </message>
    <message>
      <source>The report names no folder, document, person, computer or model, and has no message of the log.</source>
      <translation>报告不含任何文件夹、文档、人员、电脑或模型的名称，也不含日志内容。</translation>
    </message>
    <message>
      <source>They are being collected …</source>
      <translation>正在收集……</translation>
    </message>
    <message>
      <source>Versions and places</source>
      <translation>版本与位置</translation>
    </message>
    <message>
      <source>Warnings</source>
      <translation>警告</translation>
    </message>
    <message>
      <source>database</source>
      <translation>数据库</translation>
    </message>
    <message>
      <source>keyword index</source>
      <translation>关键词索引</translation>
    </message>
    <message>
      <source>list of vectors</source>
      <translation>向量列表</translation>
    </message>
    <message>
      <source>state of the copies</source>
      <translation>副本状态</translation>
    </message>
    <message>
      <source>texts</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>vectors</source>
      <translation>向量</translation>
    </message>
    <message>
      <source>{0} by meaning</source>
      <translation>{0} 个可按含义搜索</translation>
    </message>
    <message>
      <source>{0} searchable by words</source>
      <translation>{0} 个可按词搜索</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}：{1}</translation>
    </message>
  </context>
  <context>
    <name>DocumentActions</name>
    <message>
      <source>Add a note…</source>
      <translation>添加笔记…</translation>
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation>为这一段加书签</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Copy link to this place</source>
      <translation>复制此处的链接</translation>
    </message>
    <message>
      <source>Copy quote as Markdown</source>
      <translation>将引文复制为 Markdown</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>复制引文和出处</translation>
    </message>
    <message>
      <source>Find in this document…</source>
      <translation>在此文档中查找…</translation>
    </message>
    <message>
      <source>Open in default application</source>
      <translation>用默认程序打开</translation>
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation>在我的编辑器中打开此行</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
  </context>
  <context>
    <name>DocumentSide</name>
    <message>
      <source>Nothing is bookmarked in this document. Ctrl+M keeps the passage you read.</source>
      <translation>此文档中没有书签。按 Ctrl+M 记住您正在读的段落。</translation>
    </message>
    <message>
      <source>Press Ctrl+F to look for words in this document.</source>
      <translation>按 Ctrl+F 在此文档中查找词语。</translation>
    </message>
    <message>
      <source>Terms, names, dates and amounts are looked for…</source>
      <translation>正在查找术语、名称、日期和金额…</translation>
    </message>
    <message>
      <source>This document has no headings.</source>
      <translation>此文档没有标题。</translation>
    </message>
    <message>
      <source>This document has no pages.</source>
      <translation>此文档没有页面。</translation>
    </message>
  </context>
  <context>
    <name>DocumentTab</name>
    <message>
      <source>The printed pages cannot be shown, so this is the text</source>
      <translation>无法显示印刷页面，因此这里是文本</translation>
    </message>
  </context>
  <context>
    <name>DocumentsBox</name>
    <message numerus="yes">
      <source>%Ln chosen document(s)</source>
      <translation>
        <numerusform>%Ln 个选定的文档</numerusform>
      </translation>
    </message>
    <message>
      <source>All documents of the library</source>
      <translation>资料库的所有文档</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Documents that a search finds</source>
      <translation>搜索找到的文档</translation>
    </message>
    <message>
      <source>What to search for</source>
      <translation>搜索内容</translation>
    </message>
  </context>
  <context>
    <name>DocumentsChip</name>
    <message>
      <source>Search all documents again</source>
      <translation>重新搜索所有文档</translation>
    </message>
  </context>
  <context>
    <name>DropZone</name>
    <message>
      <source>Drop here to search only in it</source>
      <translation>拖放到此处，仅在其中搜索</translation>
    </message>
    <message>
      <source>Drop here to use it in this conversation only</source>
      <translation>拖放到此处，仅在此对话中使用</translation>
    </message>
    <message>
      <source>Drop to add to your library</source>
      <translation>松开即可加入您的资料库</translation>
    </message>
    <message>
      <source>Files stay where they are; nothing is copied or sent</source>
      <translation>文件留在原处；不复制也不发送任何内容</translation>
    </message>
    <message>
      <source>Nothing can be added to this library</source>
      <translation>无法向此资料库添加内容</translation>
    </message>
  </context>
  <context>
    <name>EditorPage</name>
    <message>
      <source>Editor command</source>
      <translation>编辑器命令</translation>
    </message>
    <message>
      <source>If the field is empty, {0} is used.</source>
      <translation>如果此栏为空，则使用 {0}。</translation>
    </message>
    <message>
      <source>No editor was found on this computer.</source>
      <translation>在此电脑上未找到编辑器。</translation>
    </message>
    <message>
      <source>Your editor</source>
      <translation>您的编辑器</translation>
    </message>
    <message>
      <source>“Open in my editor at this line” runs this command, with {path} and {line} for the file and the line.</source>
      <translation>“在我的编辑器中打开此行”运行此命令，{path} 和 {line} 代表文件和行号。</translation>
    </message>
  </context>
  <context>
    <name>EmptyLibrary</name>
    <message>
      <source>Add a few ready documents to see how asking works</source>
      <translation>添加几份现成文档，看看如何提问</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Choose a folder to search</source>
      <translation>选择要搜索的文件夹</translation>
    </message>
    <message>
      <source>Drop a folder here</source>
      <translation>将文件夹拖到这里</translation>
    </message>
    <message>
      <source>Every word can be found in seconds. Your files stay where they are.</source>
      <translation>几秒钟后每个词都能找到。您的文件留在原处。</translation>
    </message>
    <message>
      <source>Try the sample library</source>
      <translation>试用示例资料库</translation>
    </message>
  </context>
  <context>
    <name>EncoderPage</name>
    <message>
      <source>A question also finds passages that say the same in other words, in these languages. All of it happens on this computer.</source>
      <translation>提问也能找到用其他说法表达相同意思的段落，适用于以下语言。一切都在本机上进行。</translation>
    </message>
    <message>
      <source>All {0} sentences of this library are prepared again.</source>
      <translation>此资料库的全部 {0} 个句子将重新处理。</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Fetch {0}…</source>
      <translation>下载 {0}…</translation>
    </message>
    <message>
      <source>For a finer sense of English.</source>
      <translation>用于更细致地区分英语语义。</translation>
    </message>
    <message>
      <source>From a folder or archive</source>
      <translation>来自文件夹或压缩包</translation>
    </message>
    <message>
      <source>It begins when the program is next started; until then you search as before.</source>
      <translation>下次启动程序时开始；在此之前搜索方式不变。</translation>
    </message>
    <message>
      <source>Languages</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>More languages</source>
      <translation>更多语言</translation>
    </message>
    <message>
      <source>More than 90, also for questions in one language about documents in another.</source>
      <translation>超过 90 种，也可用一种语言提问另一种语言的文档。</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>已在此电脑上</translation>
    </message>
    <message>
      <source>Other languages</source>
      <translation>其他语言</translation>
    </message>
    <message>
      <source>Sentence encoders as model hubs publish them:</source>
      <translation>模型平台发布的句子编码器：</translation>
    </message>
    <message>
      <source>That takes about {0} minutes of one processor core.</source>
      <translation>在一个处理器核心上大约需要 {0} 分钟。</translation>
    </message>
    <message>
      <source>This installation keeps them as they are published: four times as large, and about half as fast. Wherever Desktop RAG is installed by the following command, “encoder add” converts them; then add the folder with the result here.</source>
      <translation>此安装按发布时的原样保留编码器：大小为四倍，速度约为一半。用下面的命令安装 Desktop RAG 后，“encoder add” 会转换它们；然后在这里添加转换所得的文件夹。</translation>
    </message>
    <message>
      <source>about {0} sentences a second</source>
      <translation>每秒约 {0} 个句子</translation>
    </message>
    <message>
      <source>desktop-rag encoder add FOLDER</source>
      <translation>desktop-rag encoder add 文件夹</translation>
    </message>
    <message>
      <source>{0} MB to fetch, {1} MB afterwards; {2} MB of memory while in use, and encoding takes {3} times as long.</source>
      <translation>需下载 {0} MB，之后占用 {1} MB；使用时占用 {2} MB 内存，编码耗时为原来的 {3} 倍。</translation>
    </message>
    <message>
      <source>{0} languages</source>
      <translation>{0} 种语言</translation>
    </message>
    <message>
      <source>{0} was added. Choose it above, and save.</source>
      <translation>已添加 {0}。请在上方选择它并保存。</translation>
    </message>
    <message>
      <source>{0} was not added.</source>
      <translation>未添加 {0}。</translation>
    </message>
    <message>
      <source>{0}: converted and tested…</source>
      <translation>{0}：正在转换和测试…</translation>
    </message>
    <message>
      <source>{0}: {1} of {2} MB fetched</source>
      <translation>{0}：已下载 {1} / {2} MB</translation>
    </message>
  </context>
  <context>
    <name>EntryRow</name>
    <message>
      <source>Its result takes {0} of the context</source>
      <translation>其结果占用 {0} 的上下文</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>未找到任何内容</translation>
    </message>
    <message>
      <source>{0}. Next attempt within {1}</source>
      <translation>{0}。最迟{1}后重试</translation>
    </message>
  </context>
  <context>
    <name>ExaminationDialog</name>
    <message>
      <source>A few short requests are sent. Local models may take a minute…</source>
      <translation>正在发送几个简短的请求。本地模型可能需要一分钟…</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>回答</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>连接</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>上下文窗口</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Done. It can do what the program needs.</source>
      <translation>完成。它能满足本程序的需要。</translation>
    </message>
    <message>
      <source>Done. Something is missing.</source>
      <translation>完成。有所欠缺。</translation>
    </message>
    <message>
      <source>Findings</source>
      <translation>检查结果</translation>
    </message>
    <message>
      <source>Long prompts</source>
      <translation>长提示</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Parallel calls</source>
      <translation>并行调用</translation>
    </message>
    <message>
      <source>Speed</source>
      <translation>速度</translation>
    </message>
    <message>
      <source>Streaming</source>
      <translation>流式输出</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>时间</translation>
    </message>
    <message>
      <source>Token count</source>
      <translation>词元计数</translation>
    </message>
    <message>
      <source>Tools</source>
      <translation>工具</translation>
    </message>
    <message>
      <source>What can “{0}” do?</source>
      <translation>“{0}”能做什么？</translation>
    </message>
  </context>
  <context>
    <name>ExampleWording</name>
    <message>
      <source>What is said about “{topic}”?</source>
      <translation>关于“{topic}”说了什么？</translation>
    </message>
    <message>
      <source>What is the {column} of {topic} in “{document}”?</source>
      <translation>“{document}”中 {topic} 的 {column} 是多少？</translation>
    </message>
  </context>
  <context>
    <name>ExportControl</name>
    <message>
      <source>Export the conversation</source>
      <translation>导出对话</translation>
    </message>
    <message>
      <source>Print the conversation</source>
      <translation>打印对话</translation>
    </message>
    <message>
      <source>Printed “{0}”</source>
      <translation>已打印“{0}”</translation>
    </message>
    <message>
      <source>Saved as {0}</source>
      <translation>已保存为 {0}</translation>
    </message>
    <message>
      <source>The printer did not take it. Check that it is connected, or export a PDF.</source>
      <translation>打印机没有接受。请检查连接，或导出 PDF。</translation>
    </message>
    <message>
      <source>{0} with links to the files on this computer</source>
      <translation>{0}（含指向本机文件的链接）</translation>
    </message>
  </context>
  <context>
    <name>ExternalPrograms</name>
    <message>
      <source>No program on this computer opens {0}</source>
      <translation>此电脑上没有程序能打开 {0}</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>设置…</translation>
    </message>
    <message>
      <source>{0} cannot be shown in its folder</source>
      <translation>无法在文件夹中显示 {0}</translation>
    </message>
    <message>
      <source>“{0}” is not on this computer</source>
      <translation>“{0}”不在这台电脑上</translation>
    </message>
  </context>
  <context>
    <name>FacetList</name>
    <message>
      <source>Narrow down by</source>
      <translation>缩小范围</translation>
    </message>
  </context>
  <context>
    <name>FacetModel</name>
    <message numerus="yes">
      <source>At least %Ln document(s): only the best ones are counted</source>
      <translation>
        <numerusform>至少 %Ln 个文档：只统计了最佳的文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Author</source>
      <translation>作者</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>标签</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>chosen</source>
      <translation>已选</translation>
    </message>
  </context>
  <context>
    <name>FetchActivity</name>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Cancel the fetch of {0}</source>
      <translation>取消下载 {0}</translation>
    </message>
    <message>
      <source>{0} was added. Choose it in the settings, under “Search by meaning”.</source>
      <translation>已添加 {0}。请在设置的“按含义搜索”中选择它。</translation>
    </message>
    <message>
      <source>{0} was not added.</source>
      <translation>未添加 {0}。</translation>
    </message>
  </context>
  <context>
    <name>FetchDialog</name>
    <message>
      <source>Fetch</source>
      <translation>下载</translation>
    </message>
    <message>
      <source>Fetch {0}?</source>
      <translation>下载 {0}？</translation>
    </message>
    <message>
      <source>It is then converted, which takes a few minutes of one processor core.</source>
      <translation>随后会进行转换，需要占用一个处理器核心几分钟。</translation>
    </message>
    <message>
      <source>{0} MB are fetched from {1}, which learns the address of this computer on the network, and nothing else. Licence: {2}.</source>
      <translation>将从 {1} 下载 {0} MB。对方只会得知此电脑的网络地址。许可证：{2}。</translation>
    </message>
  </context>
  <context>
    <name>FileDialog</name>
    <message>
      <source>Files of type:</source>
      <translation>文件类型：</translation>
    </message>
    <message>
      <source>Folder:</source>
      <translation>文件夹：</translation>
    </message>
    <message>
      <source>Look in:</source>
      <translation>查找位置：</translation>
    </message>
  </context>
  <context>
    <name>FileWording</name>
    <message numerus="yes">
      <source>%Ln not searchable</source>
      <translation>
        <numerusform>%Ln 个无法搜索</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln partly read</source>
      <translation>
        <numerusform>%Ln 个部分已读</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln picture(s) without text</source>
      <translation>
        <numerusform>%Ln 个无文字的图片</numerusform>
      </translation>
    </message>
    <message>
      <source>Archive</source>
      <translation>压缩包</translation>
    </message>
    <message>
      <source>Calendar</source>
      <translation>日历</translation>
    </message>
    <message>
      <source>Check that you may read these files and that their disk works, then try again.</source>
      <translation>请检查您是否有权读取这些文件、磁盘是否正常，然后重试。</translation>
    </message>
    <message>
      <source>Code</source>
      <translation>代码</translation>
    </message>
    <message>
      <source>Comic</source>
      <translation>漫画</translation>
    </message>
    <message>
      <source>Contacts</source>
      <translation>联系人</translation>
    </message>
    <message>
      <source>Could not be opened</source>
      <translation>无法打开</translation>
    </message>
    <message>
      <source>Damaged, or not what the name says</source>
      <translation>已损坏，或与名称不符</translation>
    </message>
    <message>
      <source>Data</source>
      <translation>数据</translation>
    </message>
    <message>
      <source>Drawing</source>
      <translation>绘图</translation>
    </message>
    <message>
      <source>E-book</source>
      <translation>电子书</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Found by</source>
      <translation>查找方式</translation>
    </message>
    <message>
      <source>Help book</source>
      <translation>帮助文档</translation>
    </message>
    <message>
      <source>It cannot be found.</source>
      <translation>无法找到它。</translation>
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation>正在等待读取。</translation>
    </message>
    <message>
      <source>Larger than the limit</source>
      <translation>超过限制</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <source>Mail</source>
      <translation>邮件</translation>
    </message>
    <message>
      <source>Mailbox</source>
      <translation>邮箱</translation>
    </message>
    <message>
      <source>Meaning</source>
      <translation>含义</translation>
    </message>
    <message>
      <source>Modified</source>
      <translation>修改时间</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>No text in it</source>
      <translation>其中没有文本</translation>
    </message>
    <message>
      <source>Not searchable</source>
      <translation>无法搜索</translation>
    </message>
    <message>
      <source>Notebook</source>
      <translation>笔记本</translation>
    </message>
    <message>
      <source>Nothing is missing. Ignore them to shorten this list.</source>
      <translation>没有缺失。忽略它们可缩短此列表。</translation>
    </message>
    <message>
      <source>Nothing is wrong with these files: they are read again by themselves. If memory is short, close a program.</source>
      <translation>这些文件没有问题：程序会自动重新读取。如果内存不足，请关闭一些程序。</translation>
    </message>
    <message>
      <source>Office file</source>
      <translation>办公文件</translation>
    </message>
    <message>
      <source>Open one in its own program. If it opens there, save it again; if not, restore it from a backup.</source>
      <translation>用其自身程序打开一个。若能打开，请重新保存；若不能，请从备份恢复。</translation>
    </message>
    <message>
      <source>Other reasons</source>
      <translation>其他原因</translation>
    </message>
    <message>
      <source>Outlook mail</source>
      <translation>Outlook 邮件</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页数</translation>
    </message>
    <message>
      <source>Pages that are only pictures</source>
      <translation>只有图片的页面</translation>
    </message>
    <message>
      <source>Partly read</source>
      <translation>部分已读</translation>
    </message>
    <message>
      <source>Picture</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Printed book</source>
      <translation>印刷版图书</translation>
    </message>
    <message>
      <source>Problem</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Protected by a password</source>
      <translation>受密码保护</translation>
    </message>
    <message>
      <source>Raise the size limit in the rules of their folder, or split these files.</source>
      <translation>在其文件夹的规则中提高大小限制，或拆分这些文件。</translation>
    </message>
    <message>
      <source>Reading was interrupted</source>
      <translation>读取被中断</translation>
    </message>
    <message>
      <source>Recording</source>
      <translation>录音录像</translation>
    </message>
    <message>
      <source>Save a copy without a password in the same folder; it is read by itself.</source>
      <translation>在同一文件夹中保存一份无密码的副本；它会自动被读取。</translation>
    </message>
    <message>
      <source>Save them in another format, such as PDF or text, or ignore them.</source>
      <translation>将它们另存为其他格式，如 PDF 或文本，或忽略它们。</translation>
    </message>
    <message>
      <source>Saved page</source>
      <translation>保存的网页</translation>
    </message>
    <message>
      <source>Set aside after two failed attempts</source>
      <translation>两次失败后搁置</translation>
    </message>
    <message>
      <source>Signed file</source>
      <translation>已签名的文件</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Slides</source>
      <translation>幻灯片</translation>
    </message>
    <message>
      <source>Slides (old)</source>
      <translation>幻灯片（旧格式）</translation>
    </message>
    <message>
      <source>Split these files into smaller ones to have all of them read.</source>
      <translation>将这些文件拆成较小的文件，以便全部读取。</translation>
    </message>
    <message>
      <source>Spreadsheet</source>
      <translation>电子表格</translation>
    </message>
    <message>
      <source>Subtitles</source>
      <translation>字幕</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>The reason is given beside each file.</source>
      <translation>每个文件旁都给出了原因。</translation>
    </message>
    <message>
      <source>They are not touched again until they change. After an update of this program, try them again.</source>
      <translation>在它们更改之前不会再处理。更新本程序后可再试。</translation>
    </message>
    <message>
      <source>Too much for one file; only a part was read</source>
      <translation>单个文件内容过多；只读取了一部分</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Types that are not read</source>
      <translation>不读取的类型</translation>
    </message>
    <message>
      <source>Unknown</source>
      <translation>未知</translation>
    </message>
    <message>
      <source>Waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <source>Web page</source>
      <translation>网页</translation>
    </message>
    <message>
      <source>With a program for text recognition (OCR) installed, these pages are read by themselves in the background, at some seconds of processor time a page. Until then they cost nothing.</source>
      <translation>安装文字识别（OCR）程序后，这些页面会在后台自动读取，每页需要几秒处理器时间。在此之前不占用任何资源。</translation>
    </message>
    <message>
      <source>Word (old)</source>
      <translation>Word（旧格式）</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>词语</translation>
    </message>
    <message>
      <source>Words and meaning</source>
      <translation>词语和含义</translation>
    </message>
    <message>
      <source>Words only</source>
      <translation>仅词语</translation>
    </message>
    <message>
      <source>You can find it by its name; the text in its pictures is not recognised yet.</source>
      <translation>您可以按名称找到它；其图片中的文字尚未识别。</translation>
    </message>
    <message>
      <source>You can find it by its words and by their meaning.</source>
      <translation>可以按词语和含义找到它。</translation>
    </message>
    <message>
      <source>You can find it by its words; its meaning is being prepared.</source>
      <translation>可以按词语找到它；含义正在准备中。</translation>
    </message>
    <message>
      <source>You can find what was read of it; the rest is missing.</source>
      <translation>已读取的部分可以找到；其余缺失。</translation>
    </message>
  </context>
  <context>
    <name>FilesControl</name>
    <message numerus="yes">
      <source>%Ln file(s) ignored</source>
      <translation>
        <numerusform>已忽略 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>Add a folder to see its files here. They stay where they are.</source>
      <translation>添加文件夹后，这里会显示其中的文件。它们留在原处。</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Files of a team library are not listed</source>
      <translation>团队资料库的文件不会列出</translation>
    </message>
    <message>
      <source>Files that were added one by one have no rules; remove them from the library</source>
      <translation>逐个添加的文件没有规则；请将它们从资料库中移除</translation>
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation>连接其磁盘后会自动打开。</translation>
    </message>
    <message>
      <source>Nothing to try again: only files that could not be read are tried</source>
      <translation>没有可重试的：只重试无法读取的文件</translation>
    </message>
    <message>
      <source>Opening the list…</source>
      <translation>正在打开列表…</translation>
    </message>
    <message>
      <source>The files cannot be listed</source>
      <translation>无法列出文件</translation>
    </message>
    <message>
      <source>They are on its server. Search for them, also by their names.</source>
      <translation>它们位于其服务器上。请搜索它们，也可按文件名搜索。</translation>
    </message>
    <message>
      <source>They will be read again in the background</source>
      <translation>它们将在后台重新读取</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>此资料库不存在</translation>
    </message>
    <message>
      <source>Too many files for single rules; write a pattern in the rules of the folder</source>
      <translation>文件太多，无法逐个设规则；请在文件夹规则中写一个模式</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>Your library is empty</source>
      <translation>您的资料库是空的</translation>
    </message>
  </context>
  <context>
    <name>FilesList</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>All files</source>
      <translation>所有文件</translation>
    </message>
    <message>
      <source>All types</source>
      <translation>所有类型</translation>
    </message>
    <message>
      <source>Clear filters</source>
      <translation>清除筛选</translation>
    </message>
    <message>
      <source>Files appear here as your folders are looked through.</source>
      <translation>检查文件夹时，文件会显示在这里。</translation>
    </message>
    <message>
      <source>Filter by name or folder</source>
      <translation>按名称或文件夹筛选</translation>
    </message>
    <message>
      <source>Found by</source>
      <translation>查找方式</translation>
    </message>
    <message>
      <source>No file matches</source>
      <translation>没有匹配的文件</translation>
    </message>
    <message>
      <source>No files yet</source>
      <translation>还没有文件</translation>
    </message>
    <message>
      <source>Remove this filter</source>
      <translation>移除此筛选</translation>
    </message>
    <message>
      <source>Try fewer words or another filter.</source>
      <translation>请减少词语或换一个筛选。</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>With a problem</source>
      <translation>有问题的</translation>
    </message>
  </context>
  <context>
    <name>FilesPage</name>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>返回对话（Esc）</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>No file is selected</source>
      <translation>未选择文件</translation>
    </message>
    <message>
      <source>On a selected file</source>
      <translation>对所选文件</translation>
    </message>
    <message>
      <source>Parts of the library</source>
      <translation>资料库的各部分</translation>
    </message>
    <message>
      <source>Problems</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Problems ({0})</source>
      <translation>问题（{0}）</translation>
    </message>
    <message>
      <source>Statistics</source>
      <translation>统计</translation>
    </message>
  </context>
  <context>
    <name>FilesTable</name>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Ignore</source>
      <translation>忽略</translation>
    </message>
    <message>
      <source>New report over these…</source>
      <translation>用这些文件新建报告…</translation>
    </message>
    <message>
      <source>New table over these…</source>
      <translation>用这些文件新建表格…</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>Why is it found or not?…</source>
      <translation>为什么找得到或找不到？…</translation>
    </message>
  </context>
  <context>
    <name>FilterChip</name>
    <message>
      <source>Ask again without this</source>
      <translation>不带此条件重新提问</translation>
    </message>
    <message>
      <source>Only in {0}; ask again without it</source>
      <translation>仅在 {0} 中；不带此条件重新提问</translation>
    </message>
  </context>
  <context>
    <name>FilterChips</name>
    <message>
      <source>Author: {0}</source>
      <translation>作者：{0}</translation>
    </message>
    <message>
      <source>Changed: {0}</source>
      <translation>更改：{0}</translation>
    </message>
    <message>
      <source>Date: {0}</source>
      <translation>日期：{0}</translation>
    </message>
    <message>
      <source>Files this question is limited to</source>
      <translation>此问题限定的文件</translation>
    </message>
    <message>
      <source>Folder: {0}</source>
      <translation>文件夹：{0}</translation>
    </message>
    <message>
      <source>Tag: {0}</source>
      <translation>标签：{0}</translation>
    </message>
    <message>
      <source>Type: {0}</source>
      <translation>类型：{0}</translation>
    </message>
  </context>
  <context>
    <name>FilterField</name>
    <message>
      <source>Clear</source>
      <translation>清除</translation>
    </message>
  </context>
  <context>
    <name>FindBar</name>
    <message>
      <source>Close (Esc)</source>
      <translation>关闭（Esc）</translation>
    </message>
    <message>
      <source>Find in this document</source>
      <translation>在此文档中查找</translation>
    </message>
    <message>
      <source>List all matches</source>
      <translation>列出所有匹配</translation>
    </message>
    <message>
      <source>Next match</source>
      <translation>下一个匹配</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>Previous match</source>
      <translation>上一个匹配</translation>
    </message>
    <message>
      <source>Searching…</source>
      <translation>正在搜索…</translation>
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation>{0} / {1}</translation>
    </message>
  </context>
  <context>
    <name>FirstRunDialog</name>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>No folder is chosen yet: drop one anywhere on the window when you like.</source>
      <translation>还没有选择文件夹：随时可将一个拖到窗口上。</translation>
    </message>
    <message>
      <source>Reading begins now, in the background.</source>
      <translation>现在开始在后台读取。</translation>
    </message>
    <message>
      <source>Ready</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Searching needs no model. You can change this at any time in the settings.</source>
      <translation>搜索不需要模型。您可以随时在设置中更改。</translation>
    </message>
    <message>
      <source>Set up later</source>
      <translation>以后再设置</translation>
    </message>
    <message>
      <source>Show me around the window, with a few sample documents (two minutes)</source>
      <translation>用几份示例文档带我看看窗口（两分钟）</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>开始</translation>
    </message>
    <message>
      <source>Step {0} of {1}</source>
      <translation>第 {0} 步，共 {1} 步</translation>
    </message>
    <message>
      <source>The built-in model answers, with quotes from your documents.</source>
      <translation>由内置模型回答，引用您的文档。</translation>
    </message>
    <message>
      <source>To be searched: {0}.</source>
      <translation>将搜索：{0}。</translation>
    </message>
    <message>
      <source>Welcome to Desktop RAG</source>
      <translation>欢迎使用 Desktop RAG</translation>
    </message>
    <message>
      <source>Which folders do you want to search?</source>
      <translation>您想搜索哪些文件夹？</translation>
    </message>
    <message>
      <source>Who answers your questions?</source>
      <translation>由谁回答您的问题？</translation>
    </message>
    <message>
      <source>Your files stay where they are and are never changed. You can add and remove folders later.</source>
      <translation>您的文件留在原处，绝不更改。以后可以添加和移除文件夹。</translation>
    </message>
    <message>
      <source>a few sample documents</source>
      <translation>一些示例文档</translation>
    </message>
    <message>
      <source>{0} answers, at {1}.</source>
      <translation>由 {0} 回答，位于 {1}。</translation>
    </message>
  </context>
  <context>
    <name>FolderRulesDialog</name>
    <message>
      <source> MB</source>
      <translation> MB</translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>.{0} – {1}</source>
      <translation>.{0} – {1}</translation>
    </message>
    <message>
      <source>A path to test the rules on</source>
      <translation>用来测试规则的路径</translation>
    </message>
    <message>
      <source>A pattern is not valid: {0}</source>
      <translation>有一个模式无效：{0}</translation>
    </message>
    <message>
      <source>Add a pattern for all files of one type</source>
      <translation>为一种类型的所有文件添加模式</translation>
    </message>
    <message>
      <source>Also ignore</source>
      <translation>同时忽略</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Choose a file to test the rules on</source>
      <translation>选择用来测试规则的文件</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Counting the files…</source>
      <translation>正在统计文件…</translation>
    </message>
    <message>
      <source>Files read with these rules: {0} ({1} fewer and {2} more than now).</source>
      <translation>按这些规则读取的文件：{0}（比现在少 {1} 个，多 {2} 个）。</translation>
    </message>
    <message>
      <source>Files read with these rules: {0}, the same as now.</source>
      <translation>按这些规则读取的文件：{0}，与现在相同。</translation>
    </message>
    <message>
      <source>Ignore files larger than</source>
      <translation>忽略大于此值的文件</translation>
    </message>
    <message>
      <source>Ignore what .gitignore files ignore</source>
      <translation>忽略 .gitignore 文件所忽略的内容</translation>
    </message>
    <message>
      <source>Ignored.</source>
      <translation>已忽略。</translation>
    </message>
    <message>
      <source>Include files that have other names, too (hard links)</source>
      <translation>包含另有其他名称的文件（硬链接）</translation>
    </message>
    <message>
      <source>Include hidden files and folders</source>
      <translation>包括隐藏的文件和文件夹</translation>
    </message>
    <message>
      <source>Included.</source>
      <translation>已包括。</translation>
    </message>
    <message>
      <source>Largest file</source>
      <translation>最大文件</translation>
    </message>
    <message>
      <source>Leave out a type</source>
      <translation>排除一种类型</translation>
    </message>
    <message>
      <source>Newly read: {0}</source>
      <translation>新读取：{0}</translation>
    </message>
    <message>
      <source>No longer read: {0}</source>
      <translation>不再读取：{0}</translation>
    </message>
    <message>
      <source>One pattern per line, as in a .gitignore file. “!” includes a file again.</source>
      <translation>每行一个模式，与 .gitignore 文件相同。“!” 重新包括一个文件。</translation>
    </message>
    <message>
      <source>Rules of “{0}”</source>
      <translation>“{0}”的规则</translation>
    </message>
    <message>
      <source>Save and check the folder</source>
      <translation>保存并检查文件夹</translation>
    </message>
    <message>
      <source>Such a file may also lie outside of this folder</source>
      <translation>这样的文件也可能位于此文件夹之外</translation>
    </message>
    <message>
      <source>Test the rules on a file</source>
      <translation>用一个文件测试规则</translation>
    </message>
    <message>
      <source>The folder is not here now, so its files cannot be counted.</source>
      <translation>文件夹现在不在，无法统计其文件。</translation>
    </message>
    <message>
      <source>This line: {0}</source>
      <translation>这一行：{0}</translation>
    </message>
    <message>
      <source>This path is outside the folder.</source>
      <translation>此路径在文件夹之外。</translation>
    </message>
    <message>
      <source>Type or drop a path: drafts/plan.md</source>
      <translation>输入或拖入路径：草稿/plan.md</translation>
    </message>
    <message>
      <source>Which rule decides?</source>
      <translation>由哪条规则决定？</translation>
    </message>
    <message>
      <source>{0} Only a part of this large folder was counted.</source>
      <translation>{0} 只统计了这个大文件夹的一部分。</translation>
    </message>
    <message>
      <source>{0} Still counting…</source>
      <translation>{0} 仍在统计…</translation>
    </message>
    <message numerus="yes">
      <source>{0} and %Ln more</source>
      <translation>
        <numerusform>{0} 等 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>“{0}”: {1}</source>
      <translation>“{0}”：{1}</translation>
    </message>
  </context>
  <context>
    <name>FoldersPage</name>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Folders are added and removed at once. Each has its own rules for which files are excluded.</source>
      <translation>文件夹会立即添加和移除。每个文件夹都有自己的规则，决定排除哪些文件。</translation>
    </message>
    <message>
      <source>Put back</source>
      <translation>恢复</translation>
    </message>
    <message>
      <source>Remove folder</source>
      <translation>移除文件夹</translation>
    </message>
    <message>
      <source>Rules…</source>
      <translation>规则…</translation>
    </message>
    <message>
      <source>Your library has no folders yet. Add one here, or drop it on the window.</source>
      <translation>您的资料库还没有文件夹。请在此添加，或将其拖放到窗口上。</translation>
    </message>
    <message>
      <source>{0} (removed)</source>
      <translation>{0}（已移除）</translation>
    </message>
  </context>
  <context>
    <name>FoldersToSearchPage</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>Add a folder to your library</source>
      <translation>将文件夹加入您的资料库</translation>
    </message>
    <message>
      <source>Another folder…</source>
      <translation>其他文件夹…</translation>
    </message>
    <message>
      <source>Counting…</source>
      <translation>正在统计…</translation>
    </message>
    <message>
      <source>Counting… {0}, {1}</source>
      <translation>正在统计… {0}，{1}</translation>
    </message>
    <message>
      <source>Every word can be found after {0}, meaning after {1} or more; you can ask from the start.</source>
      <translation>{0}后每个词都能找到，至少{1}后可按含义查找；从一开始就能提问。</translation>
    </message>
    <message>
      <source>Everything can be found after {0}; you can ask from the start.</source>
      <translation>{0}后可查找全部内容；从一开始就能提问。</translation>
    </message>
    <message>
      <source>Left out: {0}</source>
      <translation>排除：{0}</translation>
    </message>
    <message>
      <source>More than {0}, {1}</source>
      <translation>超过 {0}，{1}</translation>
    </message>
    <message>
      <source>The sample: a few documents to try things with</source>
      <translation>示例：几份供试用的文档</translation>
    </message>
    <message>
      <source>files and folders of programs: {0}</source>
      <translation>程序的文件和文件夹：{0}</translation>
    </message>
    <message>
      <source>hidden: {0}</source>
      <translation>隐藏：{0}</translation>
    </message>
    <message>
      <source>listed in .gitignore: {0}</source>
      <translation>列在 .gitignore 中：{0}</translation>
    </message>
    <message>
      <source>of a type that is not read: {0}</source>
      <translation>类型不读取：{0}</translation>
    </message>
    <message>
      <source>passwords and keys: {0}</source>
      <translation>密码和密钥：{0}</translation>
    </message>
    <message>
      <source>too large: {0}</source>
      <translation>太大：{0}</translation>
    </message>
    <message>
      <source>{0}, {1}</source>
      <translation>{0}，{1}</translation>
    </message>
  </context>
  <context>
    <name>FollowUpRow</name>
    <message>
      <source>Click to edit it first, Ctrl+click to ask it</source>
      <translation>点击先编辑，Ctrl+点击直接提问</translation>
    </message>
    <message>
      <source>Hide these suggestions</source>
      <translation>隐藏这些建议</translation>
    </message>
    <message>
      <source>Suggestions for the next question</source>
      <translation>下一个问题的建议</translation>
    </message>
  </context>
  <context>
    <name>FollowUpWording</name>
    <message>
      <source>Compare {topic} with {document}</source>
      <translation>将{topic}与 {document} 比较</translation>
    </message>
    <message>
      <source>What does “{topic}” in {document} say?</source>
      <translation>{document} 中的“{topic}”说了什么？</translation>
    </message>
    <message>
      <source>What else is said about {topic}?</source>
      <translation>关于{topic}还说了什么？</translation>
    </message>
  </context>
  <context>
    <name>ForgetControl</name>
    <message numerus="yes">
      <source>%Ln bookmark(s)</source>
      <translation>
        <numerusform>%Ln 个书签</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>1 stored answer uses it. If erased, its question stays.</source>
      <translation>有 1 个已存答案使用它。删除后，其问题保留。</translation>
    </message>
    <message>
      <source>No stored answer quotes it now; older copies of your conversations may.</source>
      <translation>现在没有已存答案引用它；对话的旧副本可能引用。</translation>
    </message>
    <message>
      <source>Nothing of “{0}” is left in the library</source>
      <translation>资料库中已没有“{0}”的任何内容</translation>
    </message>
    <message>
      <source>{0} and {1}</source>
      <translation>{0}和{1}</translation>
    </message>
    <message>
      <source>{0} stored answers use it. If erased, their questions stay.</source>
      <translation>有 {0} 个已存答案使用它。删除后，其问题保留。</translation>
    </message>
    <message>
      <source>“{0}” is forgotten; its text is being overwritten</source>
      <translation>“{0}”已被遗忘；其文本正在被覆写</translation>
    </message>
  </context>
  <context>
    <name>ForgetDialog</name>
    <message>
      <source>Also erase its quotes in conversations</source>
      <translation>同时删除对话中对它的引文</translation>
    </message>
    <message>
      <source>Also in the backups of the conversations</source>
      <translation>也包括对话的备份</translation>
    </message>
    <message>
      <source>Forget</source>
      <translation>遗忘</translation>
    </message>
    <message>
      <source>Forget “{0}”?</source>
      <translation>遗忘“{0}”？</translation>
    </message>
    <message>
      <source>The library erases the text of {0} and overwrites it. This cannot be undone.</source>
      <translation>资料库会删除{0}的文本并覆写。此操作无法撤销。</translation>
    </message>
    <message>
      <source>Your files stay where they are. Copies in other folders of the library can still be found.</source>
      <translation>您的文件留在原处。资料库其他文件夹中的副本仍能找到。</translation>
    </message>
  </context>
  <context>
    <name>ForkDialog</name>
    <message>
      <source>Ask again</source>
      <translation>重新提问</translation>
    </message>
    <message>
      <source>Ask again from a step</source>
      <translation>从某一步重新提问</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Edit the queries to search for something else; leave them to let the model choose again.</source>
      <translation>修改搜索词以查找其他内容；保持不变则让模型重新选择。</translation>
    </message>
    <message>
      <source>Queries, one per line</source>
      <translation>搜索词，每行一个</translation>
    </message>
    <message>
      <source>Step</source>
      <translation>步骤</translation>
    </message>
    <message>
      <source>Step {number}: {activity}</source>
      <translation>第 {number} 步：{activity}</translation>
    </message>
    <message>
      <source>The model chooses again what to do in this step.</source>
      <translation>模型重新选择在这一步做什么。</translation>
    </message>
    <message>
      <source>The steps before this one are repeated; the rest is new, in a separate conversation.</source>
      <translation>此前的步骤会重复；其余是新的，在单独的对话中。</translation>
    </message>
  </context>
  <context>
    <name>GuideDialog</name>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>User guide</source>
      <translation>用户指南（英文）</translation>
    </message>
  </context>
  <context>
    <name>GuideList</name>
    <message>
      <source>Guide</source>
      <translation>导览</translation>
    </message>
    <message>
      <source>Summary and questions</source>
      <translation>摘要与问题</translation>
    </message>
  </context>
  <context>
    <name>HistoryButtons</name>
    <message>
      <source>Back to where you were</source>
      <translation>回到之前的位置</translation>
    </message>
    <message>
      <source>Forward again</source>
      <translation>再次前进</translation>
    </message>
  </context>
  <context>
    <name>HitList</name>
    <message>
      <source>Matches</source>
      <translation>匹配</translation>
    </message>
  </context>
  <context>
    <name>HostDialog</name>
    <message>
      <source>Send</source>
      <translation>发送</translation>
    </message>
    <message>
      <source>Send questions to {0}?</source>
      <translation>将问题发送到 {0}?</translation>
    </message>
    <message>
      <source>What is never sent, and what was sent, is in the settings under Privacy. You are asked once.</source>
      <translation>哪些内容永不发送、已发送了什么，见设置中的“隐私”。只询问一次。</translation>
    </message>
    <message>
      <source>{0} is another computer. It receives your questions and the passages that are read to answer them.</source>
      <translation>{0} 是另一台电脑。它会收到您的问题以及为回答而读取的段落。</translation>
    </message>
  </context>
  <context>
    <name>HungWindowDialog</name>
    <message>
      <source>Desktop RAG does not answer</source>
      <translation>Desktop RAG 没有响应</translation>
    </message>
    <message>
      <source>End it and start anew</source>
      <translation>结束它并重新启动</translation>
    </message>
    <message>
      <source>The library is open in another window, which does not answer. It may be busy.</source>
      <translation>该资料库已在另一个窗口中打开，但该窗口没有响应。它可能正忙。</translation>
    </message>
    <message>
      <source>Wait a moment: this start goes on when it answers. Or end it: questions in progress stop, everything that was stored stays.</source>
      <translation>请稍候：它一响应，本次启动就会继续。或者结束它：正在进行的提问会中断，已保存的内容都会保留。</translation>
    </message>
  </context>
  <context>
    <name>ImportDialog</name>
    <message numerus="yes">
      <source>%Ln setting(s) change:</source>
      <translation>
        <numerusform>%Ln 项设置将更改：</numerusform>
      </translation>
    </message>
    <message>
      <source>A new model has no key yet; type it on the page Models.</source>
      <translation>新模型还没有密钥，请在“模型”页输入。</translation>
    </message>
    <message>
      <source>Import settings</source>
      <translation>导入设置</translation>
    </message>
    <message>
      <source>Nothing changes.</source>
      <translation>没有任何更改。</translation>
    </message>
    <message>
      <source>The model in use, stored keys and the editor stay as they are.</source>
      <translation>正在使用的模型、已保存的密钥和编辑器保持不变。</translation>
    </message>
    <message>
      <source>Use these settings</source>
      <translation>使用这些设置</translation>
    </message>
  </context>
  <context>
    <name>InertBrowser</name>
    <message>
      <source>Copy link</source>
      <translation>复制链接</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>在浏览器中打开</translation>
    </message>
  </context>
  <context>
    <name>InsightControl</name>
    <message>
      <source>Recent documents</source>
      <translation>最近的文档</translation>
    </message>
    <message>
      <source>Recent searches</source>
      <translation>最近的搜索</translation>
    </message>
  </context>
  <context>
    <name>Languages</name>
    <message>
      <source>Afrikaans</source>
      <translation>南非荷兰语</translation>
    </message>
    <message>
      <source>Albanian</source>
      <translation>阿尔巴尼亚语</translation>
    </message>
    <message>
      <source>Amharic</source>
      <translation>阿姆哈拉语</translation>
    </message>
    <message>
      <source>Arabic</source>
      <translation>阿拉伯语</translation>
    </message>
    <message>
      <source>Armenian</source>
      <translation>亚美尼亚语</translation>
    </message>
    <message>
      <source>Basque</source>
      <translation>巴斯克语</translation>
    </message>
    <message>
      <source>Belarusian</source>
      <translation>白俄罗斯语</translation>
    </message>
    <message>
      <source>Bengali</source>
      <translation>孟加拉语</translation>
    </message>
    <message>
      <source>Bulgarian</source>
      <translation>保加利亚语</translation>
    </message>
    <message>
      <source>Burmese</source>
      <translation>缅甸语</translation>
    </message>
    <message>
      <source>Catalan</source>
      <translation>加泰罗尼亚语</translation>
    </message>
    <message>
      <source>Central Kurdish</source>
      <translation>中库尔德语</translation>
    </message>
    <message>
      <source>Chinese</source>
      <translation>中文</translation>
    </message>
    <message>
      <source>Croatian</source>
      <translation>克罗地亚语</translation>
    </message>
    <message>
      <source>Czech</source>
      <translation>捷克语</translation>
    </message>
    <message>
      <source>Danish</source>
      <translation>丹麦语</translation>
    </message>
    <message>
      <source>Dutch</source>
      <translation>荷兰语</translation>
    </message>
    <message>
      <source>English</source>
      <translation>英语</translation>
    </message>
    <message>
      <source>Esperanto</source>
      <translation>世界语</translation>
    </message>
    <message>
      <source>Estonian</source>
      <translation>爱沙尼亚语</translation>
    </message>
    <message>
      <source>Filipino</source>
      <translation>菲律宾语</translation>
    </message>
    <message>
      <source>Finnish</source>
      <translation>芬兰语</translation>
    </message>
    <message>
      <source>French</source>
      <translation>法语</translation>
    </message>
    <message>
      <source>Galician</source>
      <translation>加利西亚语</translation>
    </message>
    <message>
      <source>Georgian</source>
      <translation>格鲁吉亚语</translation>
    </message>
    <message>
      <source>German</source>
      <translation>德语</translation>
    </message>
    <message>
      <source>Greek</source>
      <translation>希腊语</translation>
    </message>
    <message>
      <source>Gujarati</source>
      <translation>古吉拉特语</translation>
    </message>
    <message>
      <source>Hebrew</source>
      <translation>希伯来语</translation>
    </message>
    <message>
      <source>Hindi</source>
      <translation>印地语</translation>
    </message>
    <message>
      <source>Hungarian</source>
      <translation>匈牙利语</translation>
    </message>
    <message>
      <source>Icelandic</source>
      <translation>冰岛语</translation>
    </message>
    <message>
      <source>Indonesian</source>
      <translation>印度尼西亚语</translation>
    </message>
    <message>
      <source>Irish</source>
      <translation>爱尔兰语</translation>
    </message>
    <message>
      <source>Italian</source>
      <translation>意大利语</translation>
    </message>
    <message>
      <source>Japanese</source>
      <translation>日语</translation>
    </message>
    <message>
      <source>Kannada</source>
      <translation>卡纳达语</translation>
    </message>
    <message>
      <source>Kazakh</source>
      <translation>哈萨克语</translation>
    </message>
    <message>
      <source>Khmer</source>
      <translation>高棉语</translation>
    </message>
    <message>
      <source>Korean</source>
      <translation>韩语</translation>
    </message>
    <message>
      <source>Lao</source>
      <translation>老挝语</translation>
    </message>
    <message>
      <source>Latin</source>
      <translation>拉丁语</translation>
    </message>
    <message>
      <source>Latvian</source>
      <translation>拉脱维亚语</translation>
    </message>
    <message>
      <source>Lithuanian</source>
      <translation>立陶宛语</translation>
    </message>
    <message>
      <source>Macedonian</source>
      <translation>马其顿语</translation>
    </message>
    <message>
      <source>Malay</source>
      <translation>马来语</translation>
    </message>
    <message>
      <source>Malayalam</source>
      <translation>马拉雅拉姆语</translation>
    </message>
    <message>
      <source>Marathi</source>
      <translation>马拉地语</translation>
    </message>
    <message>
      <source>Mongolian</source>
      <translation>蒙古语</translation>
    </message>
    <message>
      <source>Nepali</source>
      <translation>尼泊尔语</translation>
    </message>
    <message>
      <source>Norwegian</source>
      <translation>挪威语</translation>
    </message>
    <message>
      <source>Odia</source>
      <translation>奥里亚语</translation>
    </message>
    <message>
      <source>Persian</source>
      <translation>波斯语</translation>
    </message>
    <message>
      <source>Polish</source>
      <translation>波兰语</translation>
    </message>
    <message>
      <source>Portuguese</source>
      <translation>葡萄牙语</translation>
    </message>
    <message>
      <source>Punjabi</source>
      <translation>旁遮普语</translation>
    </message>
    <message>
      <source>Romanian</source>
      <translation>罗马尼亚语</translation>
    </message>
    <message>
      <source>Russian</source>
      <translation>俄语</translation>
    </message>
    <message>
      <source>Serbian</source>
      <translation>塞尔维亚语</translation>
    </message>
    <message>
      <source>Sinhala</source>
      <translation>僧伽罗语</translation>
    </message>
    <message>
      <source>Slovak</source>
      <translation>斯洛伐克语</translation>
    </message>
    <message>
      <source>Slovenian</source>
      <translation>斯洛文尼亚语</translation>
    </message>
    <message>
      <source>Spanish</source>
      <translation>西班牙语</translation>
    </message>
    <message>
      <source>Swahili</source>
      <translation>斯瓦希里语</translation>
    </message>
    <message>
      <source>Swedish</source>
      <translation>瑞典语</translation>
    </message>
    <message>
      <source>Tamil</source>
      <translation>泰米尔语</translation>
    </message>
    <message>
      <source>Telugu</source>
      <translation>泰卢固语</translation>
    </message>
    <message>
      <source>Thai</source>
      <translation>泰语</translation>
    </message>
    <message>
      <source>Tibetan</source>
      <translation>藏语</translation>
    </message>
    <message>
      <source>Turkish</source>
      <translation>土耳其语</translation>
    </message>
    <message>
      <source>Ukrainian</source>
      <translation>乌克兰语</translation>
    </message>
    <message>
      <source>Urdu</source>
      <translation>乌尔都语</translation>
    </message>
    <message>
      <source>Vietnamese</source>
      <translation>越南语</translation>
    </message>
    <message>
      <source>Welsh</source>
      <translation>威尔士语</translation>
    </message>
  </context>
  <context>
    <name>LearnedDialog</name>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln 个 token</numerusform>
      </translation>
    </message>
    <message>
      <source>A message of yours is added to the tool's result before it.</source>
      <translation>您的消息会附加到前面的工具结果之后。</translation>
    </message>
    <message>
      <source>A request of {0} tokens arrived whole: it repeated a code at the beginning.</source>
      <translation>{0} 个词元的请求完整到达：模型复述了其开头的代码。</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Examined: it searches by itself.</source>
      <translation>已检查：由模型自行搜索。</translation>
    </message>
    <message>
      <source>Examined: the program searches for it, and it says what the passages say.</source>
      <translation>已检查：由程序为其搜索，模型说明段落的内容。</translation>
    </message>
    <message>
      <source>Fields it refused: {0}.</source>
      <translation>它拒绝的字段：{0}。</translation>
    </message>
    <message>
      <source>Forget it</source>
      <translation>清除</translation>
    </message>
    <message>
      <source>From its answers and refusals; used in every request to it.</source>
      <translation>来自它的回答和拒绝；用于对它的每次请求。</translation>
    </message>
    <message>
      <source>Instructions are sent with the first question.</source>
      <translation>指令与第一个问题一起发送。</translation>
    </message>
    <message>
      <source>It calls tools, several in one turn.</source>
      <translation>它会调用工具，一轮可调用多个。</translation>
    </message>
    <message>
      <source>It calls tools.</source>
      <translation>它会调用工具。</translation>
    </message>
    <message>
      <source>It counts {0} % of the tokens that are estimated; estimates are corrected by that.</source>
      <translation>它的计数是估算 token 数的 {0} %；估算值会据此修正。</translation>
    </message>
    <message>
      <source>It has {0} billion parameters.</source>
      <translation>它有 {0} 十亿个参数。</translation>
    </message>
    <message>
      <source>It is small: the program searches for it, and it says what the passages say.</source>
      <translation>模型较小：由程序为其搜索，模型说明段落的内容。</translation>
    </message>
    <message>
      <source>It is spoken to by the Responses API, which it asked for.</source>
      <translation>它要求使用 Responses API，现在通过该接口访问。</translation>
    </message>
    <message>
      <source>It makes no calls: they are asked for as JSON in its text. It is tried again after a day.</source>
      <translation>它不会发出调用：改为要求它在文本中以 JSON 写出。一天后会再次尝试。</translation>
    </message>
    <message>
      <source>It refused tools: calls are asked for as JSON in its text. Tools are offered again after a day.</source>
      <translation>它拒绝了工具：改为要求它在文本中以 JSON 写出调用。一天后会再次提供工具。</translation>
    </message>
    <message>
      <source>It reports no tokens; they are estimated.</source>
      <translation>它不报告 token 数；数值为估算。</translation>
    </message>
    <message>
      <source>It reports the tokens of each request.</source>
      <translation>它报告每次请求的 token 数。</translation>
    </message>
    <message>
      <source>Its context window: {0}.</source>
      <translation>它的上下文窗口：{0}。</translation>
    </message>
    <message>
      <source>Its longest answer: {0} tokens.</source>
      <translation>它的最长回答：{0} 个 token。</translation>
    </message>
    <message>
      <source>Its searches led to no answer: the program searches for it. It is tried again after a day.</source>
      <translation>它的搜索没有得出回答：由程序代为搜索。一天后会再次尝试。</translation>
    </message>
    <message>
      <source>Its thinking comes in the field {0}.</source>
      <translation>它的思考内容在字段 {0} 中。</translation>
    </message>
    <message>
      <source>Its thinking is not sent back.</source>
      <translation>它的思考内容不会发回。</translation>
    </message>
    <message>
      <source>Its thinking is sent back with every message.</source>
      <translation>它的思考内容随每条消息发回。</translation>
    </message>
    <message>
      <source>Its yes or no tells nothing about statements, or how sure it is.</source>
      <translation>它的“是”或“否”无法判断陈述，或不说明把握有多大。</translation>
    </message>
    <message>
      <source>Its yes or no tells plain statements apart: it is asked about those of its answers.</source>
      <translation>它的“是”或“否”能区分简单的陈述：会就其回答中的陈述询问它。</translation>
    </message>
    <message>
      <source>Learned</source>
      <translation>已了解</translation>
    </message>
    <message>
      <source>Learned about “{0}”</source>
      <translation>关于“{0}”已了解的信息</translation>
    </message>
    <message>
      <source>Messages of one side are joined: the sides must take turns.</source>
      <translation>同一方的消息会合并：双方必须轮流发言。</translation>
    </message>
    <message>
      <source>Messages without text are sent with an empty one.</source>
      <translation>没有文本的消息会带空文本发送。</translation>
    </message>
    <message>
      <source>Nothing yet: requests are as most models take them, until this one refuses something.</source>
      <translation>还没有：请求按大多数模型接受的方式发送，直到这个模型拒绝某些内容。</translation>
    </message>
    <message>
      <source>Reasons it gave for an end: {0}.</source>
      <translation>它给出的结束原因：{0}。</translation>
    </message>
    <message>
      <source>Results of tools carry the tool's name.</source>
      <translation>工具结果带有工具名称。</translation>
    </message>
    <message>
      <source>The longest answer is sent as {0}.</source>
      <translation>最长回答以 {0} 发送。</translation>
    </message>
    <message>
      <source>The reasoning effort that it accepts: {0}.</source>
      <translation>它接受的推理强度：{0}。</translation>
    </message>
    <message>
      <source>Tools are described as long as their results are there.</source>
      <translation>只要有工具结果，就会附上工具说明。</translation>
    </message>
  </context>
  <context>
    <name>Libraries</name>
    <message>
      <source>My library</source>
      <translation>我的资料库</translation>
    </message>
  </context>
  <context>
    <name>LibrariesControl</name>
    <message>
      <source>Create</source>
      <translation>创建</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Delete “{0}”?</source>
      <translation>删除“{0}”？</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>资料库的文件夹</translation>
    </message>
    <message>
      <source>Its index, conversations, bookmarks, notes and searches are deleted. Your documents stay where they are.</source>
      <translation>将删除其索引、对话、书签、笔记和搜索。您的文档留在原处。</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>新资料库</translation>
    </message>
    <message>
      <source>Nothing is deleted. “Open library…” adds it again.</source>
      <translation>不会删除任何内容。“打开资料库…”可再次加入。</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Remove “{0}” from the list?</source>
      <translation>从列表中移除“{0}”？</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Rename library</source>
      <translation>重命名资料库</translation>
    </message>
    <message>
      <source>The library's new folder</source>
      <translation>资料库的新文件夹</translation>
    </message>
    <message>
      <source>Your conversations and notes with it stay here. “Add team library…” with its address adds it again.</source>
      <translation>您的相关对话和笔记会保留在此处。通过“添加团队资料库…”并输入其地址可重新添加。</translation>
    </message>
    <message>
      <source>“{0}” was changed</source>
      <translation>已更改“{0}”</translation>
    </message>
    <message>
      <source>“{0}” was deleted</source>
      <translation>“{0}”已删除</translation>
    </message>
    <message>
      <source>“{0}” was removed from the list</source>
      <translation>“{0}”已从列表中移除</translation>
    </message>
  </context>
  <context>
    <name>LibraryControl</name>
    <message>
      <source>Found “{0}” again; {1} of {2} files did not need to be read again</source>
      <translation>重新找到“{0}”；{2} 个文件中有 {1} 个无需重新读取</translation>
    </message>
    <message>
      <source>Something went wrong</source>
      <translation>出了问题</translation>
    </message>
    <message>
      <source>“{0}” was not added</source>
      <translation>未添加“{0}”</translation>
    </message>
    <message>
      <source>“{0}” was not attached. {1}</source>
      <translation>未附加“{0}”。{1}</translation>
    </message>
  </context>
  <context>
    <name>LibraryDelegate</name>
    <message>
      <source>Meaning {0}</source>
      <translation>含义 {0}</translation>
    </message>
    <message>
      <source>Words {0}</source>
      <translation>词语 {0}</translation>
    </message>
    <message>
      <source>Words {0} of {1}</source>
      <translation>词语 {0} / {1}</translation>
    </message>
  </context>
  <context>
    <name>LibraryFooter</name>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation>
        <numerusform>%Ln 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln 段</numerusform>
      </translation>
    </message>
    <message>
      <source>Finding what belongs together</source>
      <translation>正在查找相关内容</translation>
    </message>
    <message>
      <source>How to fix it…</source>
      <translation>如何解决…</translation>
    </message>
    <message>
      <source>Looking for changes</source>
      <translation>正在查找更改</translation>
    </message>
    <message>
      <source>Meaning {0} %</source>
      <translation>含义 {0} %</translation>
    </message>
    <message>
      <source>Overwriting forgotten text</source>
      <translation>正在覆写已遗忘的文本</translation>
    </message>
    <message>
      <source>Pause or schedule reading</source>
      <translation>暂停或安排读取</translation>
    </message>
    <message>
      <source>Reading is paused</source>
      <translation>读取已暂停</translation>
    </message>
    <message>
      <source>Reading text in pictures</source>
      <translation>正在读取图片中的文字</translation>
    </message>
    <message>
      <source>Reading {0}</source>
      <translation>正在读取 {0}</translation>
    </message>
    <message>
      <source>Resume reading</source>
      <translation>继续读取</translation>
    </message>
    <message numerus="yes">
      <source>The words of %Ln file(s) cannot be found yet</source>
      <translation>
        <numerusform>%Ln 个文件的词语还找不到</numerusform>
      </translation>
    </message>
    <message>
      <source>Up to date</source>
      <translation>已是最新</translation>
    </message>
    <message>
      <source>Words can be found, meaning follows</source>
      <translation>词语已可查找，含义随后</translation>
    </message>
    <message>
      <source>Work now all the same</source>
      <translation>现在仍然工作</translation>
    </message>
    <message>
      <source>{0} left</source>
      <translation>还需{0}</translation>
    </message>
    <message>
      <source>{0} without text – scans or pictures</source>
      <translation>{0}没有文本 – 扫描件或图片</translation>
    </message>
    <message>
      <source>{0} without text…</source>
      <translation>{0}无文字…</translation>
    </message>
  </context>
  <context>
    <name>LibraryModel</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln more…</source>
      <translation>
        <numerusform>另有 %Ln 个…</numerusform>
      </translation>
    </message>
    <message>
      <source>Checking</source>
      <translation>正在检查</translation>
    </message>
    <message>
      <source>Looking for files…</source>
      <translation>正在查找文件…</translation>
    </message>
    <message>
      <source>No file was read</source>
      <translation>没有读取任何文件</translation>
    </message>
    <message>
      <source>No files found</source>
      <translation>未找到文件</translation>
    </message>
    <message>
      <source>Not here now; its text can still be searched.</source>
      <translation>现在不在；其文本仍可搜索。</translation>
    </message>
    <message>
      <source>Not here since {0}; its text can still be searched.</source>
      <translation>自 {0} 起不在；其文本仍可搜索。</translation>
    </message>
    <message>
      <source>Offline</source>
      <translation>离线</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <source>Words: {0} of {1} files, meaning: {2}</source>
      <translation>词语：{0} / {1} 个文件，含义：{2}</translation>
    </message>
    <message>
      <source>{0} of {1} files</source>
      <translation>{1} 个文件中的 {0} 个</translation>
    </message>
  </context>
  <context>
    <name>LibraryPanel</name>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Check for changes now</source>
      <translation>立即检查更改</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Files of the library (Ctrl+Shift+L)</source>
      <translation>资料库的文件（Ctrl+Shift+L）</translation>
    </message>
    <message>
      <source>Folder was moved…</source>
      <translation>文件夹已移动…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Forget: erase its text for good…</source>
      <translation>遗忘：永久抹除其文本…</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>No folder is selected</source>
      <translation>未选择文件夹</translation>
    </message>
    <message>
      <source>On the selected folder</source>
      <translation>对所选文件夹</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Open in the file manager</source>
      <translation>在文件管理器中打开</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Remove from library (can be undone)</source>
      <translation>从资料库移除（可撤销）</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Rules…</source>
      <translation>规则…</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Show its files</source>
      <translation>显示其文件</translation>
    </message>
    <message>
      <source>Show problems</source>
      <translation>显示问题</translation>
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation>为什么文件找得到或找不到？…</translation>
    </message>
  </context>
  <context>
    <name>LibrarySwitch</name>
    <message>
      <source>Add team library…</source>
      <translation>添加团队资料库…</translation>
    </message>
    <message>
      <source>Delete…</source>
      <translation>删除…</translation>
    </message>
    <message>
      <source>Edit team library…</source>
      <translation>编辑团队资料库…</translation>
    </message>
    <message>
      <source>Libraries</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Library “{0}”: switch to another one</source>
      <translation>资料库“{0}”：切换到另一个</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>新资料库…</translation>
    </message>
    <message>
      <source>Only a team library has an address</source>
      <translation>只有团队资料库才有地址</translation>
    </message>
    <message>
      <source>Open library…</source>
      <translation>打开资料库…</translation>
    </message>
    <message>
      <source>Remove from this list…</source>
      <translation>从此列表中移除…</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>There is only this library</source>
      <translation>只有这一个资料库</translation>
    </message>
    <message>
      <source>{0} (not connected)</source>
      <translation>{0}（未连接）</translation>
    </message>
  </context>
  <context>
    <name>LimitsPage</name>
    <message>
      <source> seconds</source>
      <translation> 秒</translation>
    </message>
    <message>
      <source> tokens</source>
      <translation> 词元</translation>
    </message>
    <message>
      <source>Before a request may pass one of these, you are asked. They count where prices are set for the model.</source>
      <translation>请求超过其中一项之前会先询问您。仅在为模型设置了价格时有效。</translation>
    </message>
    <message>
      <source>Context per request</source>
      <translation>每次请求的上下文</translation>
    </message>
    <message>
      <source>Money per day</source>
      <translation>每天费用</translation>
    </message>
    <message>
      <source>Money per month</source>
      <translation>每月费用</translation>
    </message>
    <message>
      <source>Money per run</source>
      <translation>每次运行的费用</translation>
    </message>
    <message>
      <source>No limit</source>
      <translation>无限制</translation>
    </message>
    <message>
      <source>Searches and reads</source>
      <translation>搜索和读取次数</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>步骤</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>时间</translation>
    </message>
    <message>
      <source>Tokens per run</source>
      <translation>每次运行的词元</translation>
    </message>
    <message>
      <source>When a run reaches one of these limits, you are asked whether it may go on. If you do not answer within a minute, the answer uses what was found until then; the built-in model never asks.</source>
      <translation>当一次运行达到其中某个限制时，会询问您是否继续。如果您在一分钟内没有回答，回答将使用到那时为止找到的内容；内置模型从不询问。</translation>
    </message>
  </context>
  <context>
    <name>LineEditor</name>
    <message>
      <source>Text of the document</source>
      <translation>文档的文本</translation>
    </message>
  </context>
  <context>
    <name>LinkControl</name>
    <message>
      <source>“{0}” has no text to show</source>
      <translation>“{0}”没有可显示的文本</translation>
    </message>
    <message>
      <source>“{0}” is not in this library, so the link was not opened</source>
      <translation>“{0}”不在此资料库中，因此未打开该链接</translation>
    </message>
  </context>
  <context>
    <name>LoginStart</name>
    <message>
      <source>The start at login cannot be changed ({0}).</source>
      <translation>无法更改登录时启动（{0}）。</translation>
    </message>
  </context>
  <context>
    <name>MailField</name>
    <message>
      <source>Attachments</source>
      <translation>附件</translation>
    </message>
    <message>
      <source>Bcc</source>
      <translation>密送</translation>
    </message>
    <message>
      <source>Cc</source>
      <translation>抄送</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>From</source>
      <translation>发件人</translation>
    </message>
    <message>
      <source>Subject</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>To</source>
      <translation>收件人</translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message>
      <source>Add a folder to your library</source>
      <translation>将文件夹加入您的资料库</translation>
    </message>
    <message>
      <source>Add files to your library</source>
      <translation>将文件加入您的资料库</translation>
    </message>
    <message>
      <source>Archived “{0}”</source>
      <translation>已归档“{0}”</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Deleted “{0}”</source>
      <translation>已删除“{0}”</translation>
    </message>
    <message>
      <source>Files of the library</source>
      <translation>资料库中的文件</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>资料库</translation>
    </message>
    <message>
      <source>Library and conversations</source>
      <translation>资料库和对话</translation>
    </message>
    <message>
      <source>Model in use: {0}</source>
      <translation>正在使用的模型：{0}</translation>
    </message>
    <message>
      <source>Removed “{0}” from the library</source>
      <translation>已将“{0}”从资料库中移除</translation>
    </message>
    <message>
      <source>Rules of “{0}” changed</source>
      <translation>“{0}”的规则已更改</translation>
    </message>
    <message>
      <source>The model that answers; click to choose another one</source>
      <translation>回答问题的模型；点击可选择其他模型</translation>
    </message>
    <message>
      <source>The new location of “{0}”</source>
      <translation>“{0}”的新位置</translation>
    </message>
  </context>
  <context>
    <name>Menus</name>
    <message>
      <source>&amp;Edit</source>
      <translation>编辑(&amp;E)</translation>
    </message>
    <message>
      <source>&amp;File</source>
      <translation>文件(&amp;F)</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>帮助(&amp;H)</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>查看(&amp;V)</translation>
    </message>
    <message>
      <source>About Desktop RAG</source>
      <translation>关于 Desktop RAG</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Bookmarks and notes…</source>
      <translation>书签和笔记…</translation>
    </message>
    <message>
      <source>Check for updates…</source>
      <translation>检查更新…</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Cut</source>
      <translation>剪切</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Files of the library</source>
      <translation>资料库的文件</translation>
    </message>
    <message>
      <source>Find a command…</source>
      <translation>查找命令…</translation>
    </message>
    <message>
      <source>Find a conversation</source>
      <translation>查找对话</translation>
    </message>
    <message>
      <source>Find in document…</source>
      <translation>在文档中查找…</translation>
    </message>
    <message>
      <source>Full screen</source>
      <translation>全屏</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>新对话</translation>
    </message>
    <message>
      <source>Nothing that can be undone was changed in the last seconds</source>
      <translation>最近几秒内没有可撤销的更改</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>粘贴</translation>
    </message>
    <message>
      <source>Problems of the library</source>
      <translation>资料库的问题</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>最近的文档</translation>
    </message>
    <message>
      <source>Redo typing</source>
      <translation>重做输入</translation>
    </message>
    <message>
      <source>Reports</source>
      <translation>报告</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>与系统相同</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>设置…</translation>
    </message>
    <message>
      <source>Show document</source>
      <translation>显示文档</translation>
    </message>
    <message>
      <source>Show library and conversations</source>
      <translation>显示资料库和对话</translation>
    </message>
    <message>
      <source>Standing questions</source>
      <translation>长期问题</translation>
    </message>
    <message>
      <source>Statistics of the library</source>
      <translation>资料库的统计</translation>
    </message>
    <message>
      <source>Tables over documents</source>
      <translation>文档表格</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>Tour of the window</source>
      <translation>窗口导览</translation>
    </message>
    <message>
      <source>Undo the last change</source>
      <translation>撤销上次更改</translation>
    </message>
    <message>
      <source>Undo typing</source>
      <translation>撤销输入</translation>
    </message>
    <message>
      <source>User guide</source>
      <translation>用户指南（英文）</translation>
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation>为什么文件找得到或找不到？…</translation>
    </message>
    <message>
      <source>Write a question</source>
      <translation>写问题</translation>
    </message>
  </context>
  <context>
    <name>MeterLegend</name>
    <message>
      <source>Answer</source>
      <translation>答案</translation>
    </message>
    <message>
      <source>Evidence</source>
      <translation>证据</translation>
    </message>
    <message>
      <source>Free</source>
      <translation>空闲</translation>
    </message>
    <message>
      <source>History</source>
      <translation>历史</translation>
    </message>
    <message>
      <source>Input tokens of this run</source>
      <translation>本次运行的输入词元</translation>
    </message>
    <message>
      <source>Instructions</source>
      <translation>指令</translation>
    </message>
    <message>
      <source>Kept for the answer</source>
      <translation>为答案保留</translation>
    </message>
    <message>
      <source>Of these, for thinking</source>
      <translation>其中用于思考</translation>
    </message>
    <message>
      <source>Of these, from the server's cache</source>
      <translation>其中来自服务器缓存</translation>
    </message>
    <message>
      <source>Output tokens of this run</source>
      <translation>本次运行的输出词元</translation>
    </message>
    <message>
      <source>Requests</source>
      <translation>请求</translation>
    </message>
    <message>
      <source>Speed of the last request</source>
      <translation>上次请求的速度</translation>
    </message>
    <message>
      <source>What the context holds</source>
      <translation>上下文包含什么</translation>
    </message>
    <message>
      <source>~ estimated: the model reports no token counts</source>
      <translation>~ 为估计值：模型不报告 token 数</translation>
    </message>
  </context>
  <context>
    <name>MethodPage</name>
    <message>
      <source>How a question is answered: how much is searched and read, and what counts as found.</source>
      <translation>如何回答问题：搜索和阅读多少，以及什么算找到。</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Research: the systems of the papers</source>
      <translation>研究：论文中的系统</translation>
    </message>
  </context>
  <context>
    <name>MissingChip</name>
    <message numerus="yes">
      <source>%Ln chosen folder(s) (is|are) gone – search all?</source>
      <translation>
        <numerusform>%Ln 个所选文件夹已不在 – 搜索全部？</numerusform>
      </translation>
    </message>
    <message>
      <source>No longer in your library: {0}</source>
      <translation>已不在您的资料库中：{0}</translation>
    </message>
  </context>
  <context>
    <name>MissingLibrary</name>
    <message>
      <source>Choose the library's new folder</source>
      <translation>选择资料库的新文件夹</translation>
    </message>
    <message>
      <source>Find it…</source>
      <translation>查找它…</translation>
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation>连接其磁盘后会自动打开。</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>此资料库不存在</translation>
    </message>
  </context>
  <context>
    <name>ModeBox</name>
    <message>
      <source>How to search</source>
      <translation>如何搜索</translation>
    </message>
  </context>
  <context>
    <name>ModelField</name>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln 个词元</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Choose one of %Ln model(s)</source>
      <translation>
        <numerusform>从 %Ln 个模型中选择</numerusform>
      </translation>
    </message>
    <message>
      <source>Context: {0}</source>
      <translation>上下文：{0}</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Test the connection to list the models</source>
      <translation>测试连接以列出模型</translation>
    </message>
    <message>
      <source>Use these prices</source>
      <translation>使用这些价格</translation>
    </message>
    <message>
      <source>{0} / {1} US dollars per million tokens of input / output</source>
      <translation>输入 / 输出每百万 token {0} / {1} 美元</translation>
    </message>
  </context>
  <context>
    <name>ModelFilesDialog</name>
    <message numerus="yes">
      <source>%Ln model file(s) found</source>
      <translation>
        <numerusform>找到 %Ln 个模型文件</numerusform>
      </translation>
    </message>
    <message>
      <source>A model file</source>
      <translation>模型文件</translation>
    </message>
    <message>
      <source>A model file (GGUF) answers without a server: it runs in a process of this program, and nothing leaves this computer.</source>
      <translation>模型文件（GGUF）无需服务器即可回答：它在本程序的一个进程中运行，任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Choose a file…</source>
      <translation>选择文件…</translation>
    </message>
    <message>
      <source>Choose llama-server…</source>
      <translation>选择 llama-server…</translation>
    </message>
    <message>
      <source>Chosen file</source>
      <translation>选择的文件</translation>
    </message>
    <message>
      <source>Context</source>
      <translation>上下文</translation>
    </message>
    <message>
      <source>Damaged</source>
      <translation>已损坏</translation>
    </message>
    <message numerus="yes">
      <source>Fits: %Ln token(s)</source>
      <translation>
        <numerusform>可以运行：%Ln 个词元</numerusform>
      </translation>
    </message>
    <message>
      <source>Kept by</source>
      <translation>所属程序</translation>
    </message>
    <message>
      <source>Looking for the models of LM Studio, Ollama, Jan, GPT4All and llama.cpp…</source>
      <translation>正在查找 LM Studio、Ollama、Jan、GPT4All 和 llama.cpp 的模型…</translation>
    </message>
    <message>
      <source>Memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Model files</source>
      <translation>模型文件</translation>
    </message>
    <message>
      <source>Model files (*.gguf)</source>
      <translation>模型文件 (*.gguf)</translation>
    </message>
    <message>
      <source>Models are run by llama.cpp, which was not found on this computer. Install it with this command and open this window again, or choose its program llama-server.</source>
      <translation>模型由 llama.cpp 运行，但在这台电脑上没有找到它。请用此命令安装并重新打开此窗口，或选择它的程序 llama-server。</translation>
    </message>
    <message>
      <source>Models run with {0}</source>
      <translation>模型将由 {0} 运行</translation>
    </message>
    <message>
      <source>No model file was found. Download one with LM Studio or Ollama, or choose a file.</source>
      <translation>没有找到模型文件。请用 LM Studio 或 Ollama 下载一个，或选择一个文件。</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>在这台电脑上</translation>
    </message>
    <message>
      <source>Quantisation</source>
      <translation>量化</translation>
    </message>
    <message>
      <source>Reading the file…</source>
      <translation>正在读取文件…</translation>
    </message>
    <message>
      <source>Run a model on this computer</source>
      <translation>在这台电脑上运行模型</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>The program llama-server</source>
      <translation>程序 llama-server</translation>
    </message>
    <message>
      <source>Too big: needs {0}</source>
      <translation>太大：需要 {0}</translation>
    </message>
    <message>
      <source>Use this model</source>
      <translation>使用此模型</translation>
    </message>
    <message>
      <source>{0} is not a program.</source>
      <translation>{0} 不是程序。</translation>
    </message>
  </context>
  <context>
    <name>ModelPage</name>
    <message>
      <source>A model elsewhere, with an address and a key</source>
      <translation>其他地方的模型，需要地址和密钥</translation>
    </message>
    <message>
      <source>A model on this computer</source>
      <translation>此电脑上的模型</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>Address of the model</source>
      <translation>模型的地址</translation>
    </message>
    <message>
      <source>Answers with quotes from your documents. Fast, private, and always there.</source>
      <translation>用您文档中的引文回答。快速、私密、随时可用。</translation>
    </message>
    <message>
      <source>Any address</source>
      <translation>任意地址</translation>
    </message>
    <message>
      <source>Built-in, no model needed</source>
      <translation>内置，无需模型</translation>
    </message>
    <message>
      <source>Connecting…</source>
      <translation>正在连接…</translation>
    </message>
    <message>
      <source>Endpoint</source>
      <translation>端点</translation>
    </message>
    <message>
      <source>Kept in the keychain of your system</source>
      <translation>保存在系统的钥匙串中</translation>
    </message>
    <message>
      <source>Key</source>
      <translation>密钥</translation>
    </message>
    <message>
      <source>Key of the model</source>
      <translation>模型的密钥</translation>
    </message>
    <message>
      <source>Keys are made at {0}.</source>
      <translation>密钥在 {0} 创建。</translation>
    </message>
    <message>
      <source>List its models</source>
      <translation>列出其模型</translation>
    </message>
    <message>
      <source>Look for a model on this computer</source>
      <translation>在此电脑上查找模型</translation>
    </message>
    <message>
      <source>Looking…</source>
      <translation>正在查找…</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Models found on this computer</source>
      <translation>在此电脑上找到的模型</translation>
    </message>
    <message>
      <source>Name of the model</source>
      <translation>模型的名称</translation>
    </message>
    <message>
      <source>No model server answered on this computer. You can go on without one, and add it later.</source>
      <translation>此电脑上没有模型服务器回应。您可以先不用模型，以后再添加。</translation>
    </message>
    <message>
      <source>Passages that answer your questions are sent to this address.</source>
      <translation>回答您问题的段落会发送到此地址。</translation>
    </message>
    <message>
      <source>Provider</source>
      <translation>服务商</translation>
    </message>
    <message>
      <source>This connects to the ports {0} of this computer, and to nothing else.</source>
      <translation>这会连接此电脑的端口 {0}，除此之外不连接任何地方。</translation>
    </message>
    <message>
      <source>{0} · {1}</source>
      <translation>{0} · {1}</translation>
    </message>
  </context>
  <context>
    <name>NameDialog</name>
    <message>
      <source>An empty folder for the library</source>
      <translation>资料库的空文件夹</translation>
    </message>
    <message>
      <source>Choose an empty folder, for example on another disk</source>
      <translation>选择一个空文件夹，例如在另一个磁盘上</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Folder for its index and conversations</source>
      <translation>存放索引和对话的文件夹</translation>
    </message>
    <message>
      <source>For example: Work</source>
      <translation>例如：工作</translation>
    </message>
    <message>
      <source>In the default folder</source>
      <translation>在默认文件夹中</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>资料库的名称</translation>
    </message>
    <message>
      <source>Your documents stay where they are.</source>
      <translation>您的文档留在原处。</translation>
    </message>
  </context>
  <context>
    <name>NoteDialog</name>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>笔记</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>What do you want to remember?</source>
      <translation>您想记住什么？</translation>
    </message>
  </context>
  <context>
    <name>NotesControl</name>
    <message>
      <source>Choose the folder for your notes</source>
      <translation>选择存放笔记的文件夹</translation>
    </message>
    <message>
      <source>Saved to your notes as {0}</source>
      <translation>已保存到笔记：{0}</translation>
    </message>
  </context>
  <context>
    <name>NoticeControl</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>A question could not be answered</source>
      <translation>有一个问题未能回答</translation>
    </message>
    <message>
      <source>A question has reached a limit and asks whether to go on</source>
      <translation>一个问题已达到上限，询问是否继续</translation>
    </message>
    <message>
      <source>After {0}</source>
      <translation>用时 {0}</translation>
    </message>
    <message>
      <source>No answer was found in your library</source>
      <translation>在您的资料库中未找到答案</translation>
    </message>
    <message>
      <source>The words of your documents can be searched</source>
      <translation>您的文档的文字已可搜索</translation>
    </message>
    <message>
      <source>Your answer is ready</source>
      <translation>您的回答已就绪</translation>
    </message>
    <message>
      <source>{0} of {1} files; the library lists the others</source>
      <translation>{1} 个文件中的 {0} 个；其余见资料库</translation>
    </message>
  </context>
  <context>
    <name>OutlineList</name>
    <message>
      <source>Outline</source>
      <translation>大纲</translation>
    </message>
  </context>
  <context>
    <name>PageField</name>
    <message>
      <source>/ {0}</source>
      <translation>/ {0}</translation>
    </message>
    <message>
      <source>Page</source>
      <translation>页</translation>
    </message>
  </context>
  <context>
    <name>PageList</name>
    <message>
      <source>Advanced</source>
      <translation>高级</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
  </context>
  <context>
    <name>PageView</name>
    <message>
      <source>Page {0}</source>
      <translation>第 {0} 页</translation>
    </message>
    <message>
      <source>Pages of the document</source>
      <translation>文档的页面</translation>
    </message>
  </context>
  <context>
    <name>PaletteControl</name>
    <message>
      <source>Not possible at the moment</source>
      <translation>目前无法使用</translation>
    </message>
  </context>
  <context>
    <name>PaletteDocuments</name>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
  </context>
  <context>
    <name>PaletteModel</name>
    <message>
      <source>not possible now: {0}</source>
      <translation>现在无法使用：{0}</translation>
    </message>
  </context>
  <context>
    <name>PassageDiff</name>
    <message>
      <source>Added: {words}.</source>
      <translation>新增：{words}。</translation>
    </message>
    <message>
      <source>Removed: {words}.</source>
      <translation>移除：{words}。</translation>
    </message>
    <message>
      <source>The passage has not changed.</source>
      <translation>这一段没有变化。</translation>
    </message>
  </context>
  <context>
    <name>PassageView</name>
    <message>
      <source>Cited passage</source>
      <translation>引用的段落</translation>
    </message>
  </context>
  <context>
    <name>PatternEditor</name>
    <message>
      <source>Patterns to ignore, one per line</source>
      <translation>要忽略的模式，每行一个</translation>
    </message>
    <message>
      <source>decides about no file</source>
      <translation>不影响任何文件</translation>
    </message>
    <message numerus="yes">
      <source>keeps %Ln file(s)</source>
      <translation>
        <numerusform>保留 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>leaves out %Ln file(s)</source>
      <translation>
        <numerusform>排除 %Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>not valid</source>
      <translation>无效</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}：{1}</translation>
    </message>
  </context>
  <context>
    <name>PrivacyPage</name>
    <message>
      <source>Clear</source>
      <translation>清除</translation>
    </message>
    <message>
      <source>Data folder</source>
      <translation>数据文件夹</translation>
    </message>
    <message>
      <source>Documents are read, indexed and searched on this computer only.</source>
      <translation>文档仅在本机上读取、索引和搜索。</translation>
    </message>
    <message>
      <source>Its size is being measured …</source>
      <translation>正在计算大小……</translation>
    </message>
    <message>
      <source>Nothing: the built-in model answers on this computer.</source>
      <translation>没有任何内容：内置模型在本机上回答。</translation>
    </message>
    <message>
      <source>Open the folder</source>
      <translation>打开文件夹</translation>
    </message>
    <message>
      <source>Questions and answers are kept as conversations. Delete or archive them in their list.</source>
      <translation>问题和回答以对话形式保存。可在对话列表中删除或归档。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>What is remembered</source>
      <translation>记住的内容</translation>
    </message>
    <message>
      <source>What leaves this computer</source>
      <translation>哪些内容会离开本机</translation>
    </message>
    <message>
      <source>What may be sent</source>
      <translation>可以发送的内容</translation>
    </message>
    <message>
      <source>What was sent…</source>
      <translation>已发送的内容…</translation>
    </message>
    <message>
      <source>{0}: asked for a newer version when you choose “Check for updates”. It learns no more.</source>
      <translation>{0}：仅在您选择“检查更新”时查询新版本，不会获知更多信息。</translation>
    </message>
    <message>
      <source>{0}: in use. It receives your questions and the passages that are read to answer them.</source>
      <translation>{0}：正在使用。它会收到您的问题以及为回答而读取的段落。</translation>
    </message>
    <message>
      <source>{0}: set up, not in use. It receives nothing until you choose it.</source>
      <translation>{0}：已设置但未使用。在您选择它之前不会收到任何内容。</translation>
    </message>
    <message>
      <source>{0}: settings, indexes, conversations and logs. Your documents are elsewhere.</source>
      <translation>{0}：设置、索引、对话和日志。您的文档在别处。</translation>
    </message>
    <message>
      <source>{0}: this computer. Nothing leaves it.</source>
      <translation>{0}：本机。没有内容离开。</translation>
    </message>
  </context>
  <context>
    <name>PrivacyRules</name>
    <message>
      <source>Ask again</source>
      <translation>重新询问</translation>
    </message>
    <message>
      <source>Documents with these tags are never sent either, one tag per line</source>
      <translation>带有这些标签的文档也从不发送，每行一个标签</translation>
    </message>
    <message>
      <source>Mask passwords, keys, card and account numbers</source>
      <translation>遮盖密码、密钥、卡号和账号</translation>
    </message>
    <message>
      <source>Never send</source>
      <translation>永不发送</translation>
    </message>
    <message>
      <source>The answer shows them again, on this computer only</source>
      <translation>回答会重新显示它们，仅在这台电脑上</translation>
    </message>
    <message>
      <source>Words that are masked in what is sent, one per line</source>
      <translation>在发送的内容中遮盖的词语，每行一个</translation>
    </message>
    <message>
      <source>Work offline: connect to nothing but this computer</source>
      <translation>离线工作：只连接这台电脑</translation>
    </message>
    <message>
      <source>You can search these files and folders, and the built-in model can quote them. No other model gets their text, names or titles.</source>
      <translation>您可以搜索这些文件和文件夹，内置模型也可以引用它们。其他模型得不到它们的文本、名称或标题。</translation>
    </message>
    <message>
      <source>You have allowed sending to</source>
      <translation>您已允许发送到</translation>
    </message>
  </context>
  <context>
    <name>ProbeReport</name>
    <message>
      <source>Stop testing</source>
      <translation>停止测试</translation>
    </message>
    <message>
      <source>Test connection</source>
      <translation>测试连接</translation>
    </message>
    <message>
      <source>Testing the connection…</source>
      <translation>正在测试连接…</translation>
    </message>
    <message numerus="yes">
      <source>Use %Ln token(s)</source>
      <translation>
        <numerusform>使用 %Ln 个词元</numerusform>
      </translation>
    </message>
    <message>
      <source>What can it do?</source>
      <translation>它能做什么？</translation>
    </message>
  </context>
  <context>
    <name>ProblemCard</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>For example: {0}</source>
      <translation>例如：{0}</translation>
    </message>
    <message>
      <source>Ignore all</source>
      <translation>全部忽略</translation>
    </message>
    <message>
      <source>Leave these files out by rules of their folders; you can undo it</source>
      <translation>用文件夹规则排除这些文件；可以撤销</translation>
    </message>
    <message>
      <source>Show files</source>
      <translation>显示文件</translation>
    </message>
    <message>
      <source>Try all again</source>
      <translation>全部重试</translation>
    </message>
  </context>
  <context>
    <name>ProblemGroups</name>
    <message>
      <source>No problems: every file could be read.</source>
      <translation>没有问题：每个文件都能读取。</translation>
    </message>
    <message>
      <source>Problems by reason</source>
      <translation>按原因列出的问题</translation>
    </message>
  </context>
  <context>
    <name>ProfileEditor</name>
    <message>
      <source> minutes</source>
      <translation> 分钟</translation>
    </message>
    <message>
      <source> tokens</source>
      <translation> 词元</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>上下文窗口</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Key</source>
      <translation>密钥</translation>
    </message>
    <message>
      <source>Keys are made at {0}. {1}</source>
      <translation>密钥在 {0} 创建。{1}</translation>
    </message>
    <message>
      <source>Leaves the memory after</source>
      <translation>闲置多久后移出内存</translation>
    </message>
    <message>
      <source>Longest answer</source>
      <translation>最长答案</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Never</source>
      <translation>从不</translation>
    </message>
    <message>
      <source>Only if it asks for one</source>
      <translation>仅在需要时</translation>
    </message>
    <message>
      <source>Stored in this computer's keychain, never in a file.</source>
      <translation>保存在此电脑的钥匙串中，绝不保存在文件里。</translation>
    </message>
    <message>
      <source>Stored; type to replace it</source>
      <translation>已保存；输入即可替换</translation>
    </message>
    <message>
      <source>The model is loaded with the first question and runs in a process of its own, which ends with the program. Nothing leaves this computer. A larger context needs more memory; what does not fit is made smaller.</source>
      <translation>模型在第一个问题时加载，在单独的进程中运行，该进程随程序结束。任何内容都不会离开这台电脑。上下文越大，需要的内存越多；放不下时会自动缩小。</translation>
    </message>
  </context>
  <context>
    <name>ProfilesPage</name>
    <message>
      <source>Built-in – quotes your documents, no language model</source>
      <translation>内置 – 引用您的文档，没有语言模型</translation>
    </message>
    <message>
      <source>Connect a model</source>
      <translation>连接模型</translation>
    </message>
    <message>
      <source>Duplicate</source>
      <translation>复制一份</translation>
    </message>
    <message>
      <source>Give this model a name.</source>
      <translation>请为此模型命名。</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>No name yet</source>
      <translation>尚未命名</translation>
    </message>
    <message>
      <source>Questions are answered by</source>
      <translation>回答问题的是</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>The address must begin with http:// or https://.</source>
      <translation>地址必须以 http:// 或 https:// 开头。</translation>
    </message>
    <message>
      <source>Two models are called “{0}”. Names must differ.</source>
      <translation>有两个模型名为“{0}”。名称必须不同。</translation>
    </message>
  </context>
  <context>
    <name>ProgramChangeDialog</name>
    <message>
      <source>Add to {0}</source>
      <translation>添加到 {0}</translation>
    </message>
    <message>
      <source>Change its settings</source>
      <translation>更改其设置</translation>
    </message>
    <message>
      <source>Lines that change</source>
      <translation>将更改的行</translation>
    </message>
    <message>
      <source>Remove from {0}</source>
      <translation>从 {0} 中移除</translation>
    </message>
    <message>
      <source>These lines of {0} change; all others stay as they are. To undo it, come back to this page.</source>
      <translation>{0} 中的这些行将更改，其余内容保持不变。如需撤销，请回到本页。</translation>
    </message>
  </context>
  <context>
    <name>ProgramsControl</name>
    <message>
      <source>The settings of {0} are changed. They count from its next start.</source>
      <translation>{0} 的设置已更改，下次启动后生效。</translation>
    </message>
  </context>
  <context>
    <name>ProgramsPage</name>
    <message>
      <source>Add anyway…</source>
      <translation>仍要添加…</translation>
    </message>
    <message>
      <source>Added</source>
      <translation>已添加</translation>
    </message>
    <message>
      <source>Add…</source>
      <translation>添加…</translation>
    </message>
    <message>
      <source>Any other program</source>
      <translation>其他程序</translation>
    </message>
    <message>
      <source>Command of the server</source>
      <translation>服务器命令</translation>
    </message>
    <message>
      <source>Copied</source>
      <translation>已复制</translation>
    </message>
    <message>
      <source>Copy the command</source>
      <translation>复制命令</translation>
    </message>
    <message>
      <source>Desktop RAG sends nothing. But a program that you add passes on what it reads to its own model, which may run on other computers. Add only programs that you would show these documents to.</source>
      <translation>Desktop RAG 不发送任何内容。但您添加的程序会把读到的内容交给它自己的模型，而该模型可能运行在其他电脑上。请只添加您愿意让其看到这些文档的程序。</translation>
    </message>
    <message>
      <source>Not found on this computer</source>
      <translation>本机上未找到</translation>
    </message>
    <message>
      <source>Programs with the Model Context Protocol (MCP) start the library's server with this command:</source>
      <translation>支持 Model Context Protocol (MCP) 的程序用以下命令启动资料库服务器：</translation>
    </message>
    <message>
      <source>Remove…</source>
      <translation>移除…</translation>
    </message>
    <message>
      <source>These programs can search and read your documents, cite their lines, and have their answers checked against them. They find the library where it is; nothing is copied.</source>
      <translation>这些程序可以搜索和阅读您的文档、引用其中的行，并据此核对自己的回答。资料库留在原处，不会被复制。</translation>
    </message>
    <message>
      <source>Use the library in other programs</source>
      <translation>在其他程序中使用资料库</translation>
    </message>
    <message>
      <source>What leaves this computer</source>
      <translation>哪些内容会离开本机</translation>
    </message>
  </context>
  <context>
    <name>QShortcut</name>
    <message>
      <source>Return</source>
      <translation>回车</translation>
    </message>
  </context>
  <context>
    <name>QueryRow</name>
    <message>
      <source>Best</source>
      <translation>最佳</translation>
    </message>
    <message>
      <source>Best, a little slower</source>
      <translation>最佳（稍慢）</translation>
    </message>
    <message>
      <source>Delete a saved search</source>
      <translation>删除已存搜索</translation>
    </message>
    <message>
      <source>Exact letters</source>
      <translation>精确字母</translation>
    </message>
    <message>
      <source>How to ask</source>
      <translation>如何提问</translation>
    </message>
    <message>
      <source>Letters</source>
      <translation>字母</translation>
    </message>
    <message>
      <source>Meaning</source>
      <translation>含义</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>最近</translation>
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation>最近和已存的搜索</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Save this search</source>
      <translation>保存此搜索</translation>
    </message>
    <message>
      <source>Save this search…</source>
      <translation>保存此搜索…</translation>
    </message>
    <message>
      <source>Saved</source>
      <translation>已保存</translation>
    </message>
    <message>
      <source>Search your documents</source>
      <translation>搜索您的文档</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>词语</translation>
    </message>
    <message>
      <source>Words and meaning</source>
      <translation>词语和含义</translation>
    </message>
    <message>
      <source>Words, meaning</source>
      <translation>词语、含义</translation>
    </message>
  </context>
  <context>
    <name>QuestionBubble</name>
    <message>
      <source>Edit the question and ask again</source>
      <translation>修改问题并重新提问</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>… The first {0} of {1} characters; the pencil shows all.</source>
      <translation>… 共 {1} 个字符，此处为前 {0} 个；点击铅笔可查看全部。</translation>
    </message>
  </context>
  <context>
    <name>QuestionEditor</name>
    <message>
      <source>Ask</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
  </context>
  <context>
    <name>QuestionField</name>
    <message>
      <source>Enter sends, Shift+Enter starts a new line</source>
      <translation>Enter 发送，Shift+Enter 换行</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
  </context>
  <context>
    <name>RecentMenu</name>
    <message>
      <source>Clear the list</source>
      <translation>清空列表</translation>
    </message>
    <message>
      <source>{0} (no longer there)</source>
      <translation>{0}(已不存在)</translation>
    </message>
  </context>
  <context>
    <name>RemarkList</name>
    <message>
      <source>Against it</source>
      <translation>不利</translation>
    </message>
    <message>
      <source>For it</source>
      <translation>有利</translation>
    </message>
    <message>
      <source>What is known about this file</source>
      <translation>关于此文件已知的内容</translation>
    </message>
  </context>
  <context>
    <name>RenderedView</name>
    <message>
      <source>Copy link</source>
      <translation>复制链接</translation>
    </message>
    <message>
      <source>Document as a page</source>
      <translation>文档页面</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>在浏览器中打开</translation>
    </message>
    <message>
      <source>The target of this link was not found in the document.</source>
      <translation>在文档中未找到此链接的目标。</translation>
    </message>
    <message>
      <source>This link points outside the document: {0}</source>
      <translation>此链接指向文档之外：{0}</translation>
    </message>
  </context>
  <context>
    <name>ReportControl</name>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Delete the report?</source>
      <translation>删除报告？</translation>
    </message>
    <message>
      <source>Export the report</source>
      <translation>导出报告</translation>
    </message>
    <message>
      <source>Report saved to {0}</source>
      <translation>报告已保存到 {0}</translation>
    </message>
    <message>
      <source>“{0}” is deleted with its text. The documents stay.</source>
      <translation>“{0}”及其文字将被删除。文档不受影响。</translation>
    </message>
  </context>
  <context>
    <name>ReportDialog</name>
    <message>
      <source>Change</source>
      <translation>更改</translation>
    </message>
    <message>
      <source>Change the outline</source>
      <translation>更改大纲</translation>
    </message>
    <message>
      <source>Make the report</source>
      <translation>创建报告</translation>
    </message>
    <message>
      <source>New report</source>
      <translation>新报告</translation>
    </message>
    <message>
      <source>One section a line, as “Heading: question”. Empty: it is proposed.</source>
      <translation>每行一节，写作“标题: 问题”。留空则自动提议。</translation>
    </message>
    <message>
      <source>Outline</source>
      <translation>大纲</translation>
    </message>
    <message>
      <source>Propose an outline</source>
      <translation>提议大纲</translation>
    </message>
    <message>
      <source>Propose another outline</source>
      <translation>另提一份大纲</translation>
    </message>
    <message>
      <source>Proposing…</source>
      <translation>正在提议…</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>What is the report about?</source>
      <translation>报告的主题是什么？</translation>
    </message>
  </context>
  <context>
    <name>ReportPage</name>
    <message>
      <source>A report from your documents</source>
      <translation>用您的文档写报告</translation>
    </message>
    <message>
      <source>An outline that you can change, then section by section, each sentence proven by its line.</source>
      <translation>先有可修改的大纲，再逐节撰写，每句话都有原文行作依据。</translation>
    </message>
    <message>
      <source>Change the outline…</source>
      <translation>更改大纲…</translation>
    </message>
    <message>
      <source>Delete the report…</source>
      <translation>删除报告…</translation>
    </message>
    <message>
      <source>Export: {0}…</source>
      <translation>导出：{0}…</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>New report…</source>
      <translation>新报告…</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>Reports</source>
      <translation>报告</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>撰写</translation>
    </message>
    <message>
      <source>{0} of {1} sections</source>
      <translation>{0} / {1} 节</translation>
    </message>
  </context>
  <context>
    <name>ReserveSlider</name>
    <message>
      <source>Boundary between evidence and answer</source>
      <translation>证据与答案的界限</translation>
    </message>
    <message>
      <source>{tokens} are kept for the answer; drag, or use the arrow keys</source>
      <translation>为答案保留 {tokens}；可拖动或用方向键</translation>
    </message>
  </context>
  <context>
    <name>RestrictionChip</name>
    <message>
      <source>Only in {0}; remove it</source>
      <translation>仅在 {0} 中；移除</translation>
    </message>
    <message>
      <source>Remove {0}</source>
      <translation>移除 {0}</translation>
    </message>
  </context>
  <context>
    <name>ResultRows</name>
    <message>
      <source>found by its name</source>
      <translation>按名称找到</translation>
    </message>
  </context>
  <context>
    <name>ResultSummary</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) by name</source>
      <translation>
        <numerusform>%Ln 个按名称找到的文件</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln 段</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln similar passage(s)</source>
      <translation>
        <numerusform>%Ln 个相似段落</numerusform>
      </translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>未找到任何内容</translation>
    </message>
    <message>
      <source>Nothing found with the filter {0}</source>
      <translation>使用筛选条件 {0} 未找到任何内容</translation>
    </message>
    <message numerus="yes">
      <source>The best %Ln passage(s)</source>
      <translation>
        <numerusform>最佳的 %Ln 段</numerusform>
      </translation>
    </message>
    <message>
      <source>about {0}</source>
      <translation>约 {0}</translation>
    </message>
    <message>
      <source>meaning search covers {0} % so far</source>
      <translation>含义搜索目前覆盖 {0} %</translation>
    </message>
    <message>
      <source>your words look {0}, most of your documents are {1}</source>
      <translation>您输入的似乎是{0}，而您的文档大多是{1}</translation>
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation>{1}中：{0}</translation>
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation>{1}（列出 {0} 个）</translation>
    </message>
  </context>
  <context>
    <name>ResultsList</name>
    <message>
      <source>Copy link</source>
      <translation>复制链接</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>复制引文和出处</translation>
    </message>
    <message>
      <source>Found passages</source>
      <translation>找到的段落</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>Open in default application</source>
      <translation>用默认程序打开</translation>
    </message>
    <message>
      <source>Related passages</source>
      <translation>相关段落</translation>
    </message>
    <message>
      <source>Show all passages of the document</source>
      <translation>显示该文档的所有段落</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>Show its best passages only</source>
      <translation>仅显示其最佳段落</translation>
    </message>
    <message>
      <source>Why is this found?</source>
      <translation>为什么会找到它？</translation>
    </message>
  </context>
  <context>
    <name>ResultsModel</name>
    <message numerus="yes">
      <source>%Ln more in this document</source>
      <translation>
        <numerusform>此文档中还有 %Ln 个</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln 段</numerusform>
      </translation>
    </message>
    <message>
      <source>Because of its tag “{0}”</source>
      <translation>因为其标签“{0}”</translation>
    </message>
    <message>
      <source>Because of where it lies</source>
      <translation>因为其所在位置</translation>
    </message>
    <message>
      <source>Files without text, found by name</source>
      <translation>按名称找到的无文本文件</translation>
    </message>
    <message>
      <source>Never sent: found and read here, but no model gets its text or its name</source>
      <translation>从不发送：可在此找到和阅读，但任何模型都得不到其文本或名称</translation>
    </message>
    <message>
      <source>Rank {0} by meaning</source>
      <translation>按含义排第 {0}</translation>
    </message>
    <message>
      <source>Rank {0} by words</source>
      <translation>按词语排第 {0}</translation>
    </message>
    <message>
      <source>Rank {0} in this search</source>
      <translation>在此搜索中排第 {0}</translation>
    </message>
    <message>
      <source>Show more</source>
      <translation>显示更多</translation>
    </message>
    <message>
      <source>Show the best {0} only</source>
      <translation>仅显示最佳的 {0} 个</translation>
    </message>
    <message>
      <source>Similar passages that do not fulfil your query</source>
      <translation>不符合查询条件的相似段落</translation>
    </message>
    <message>
      <source>Similar passages without your words</source>
      <translation>不含您的词语的相似段落</translation>
    </message>
    <message numerus="yes">
      <source>The next %Ln in this document</source>
      <translation>
        <numerusform>此文档中接下来的 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>also in 1 other file</source>
      <translation>另见 1 个其他文件</translation>
    </message>
    <message>
      <source>also in {0} other files</source>
      <translation>另见 {0} 个其他文件</translation>
    </message>
    <message>
      <source>and {0} more</source>
      <translation>还有 {0} 个</translation>
    </message>
    <message>
      <source>never sent</source>
      <translation>从不发送</translation>
    </message>
    <message>
      <source>no text</source>
      <translation>没有文本</translation>
    </message>
  </context>
  <context>
    <name>RunActions</name>
    <message>
      <source>There is no other run to compare with. Ask the question again first.</source>
      <translation>没有其他运行可比较。请先再问一次这个问题。</translation>
    </message>
  </context>
  <context>
    <name>RunFeedback</name>
    <message>
      <source>Pauses at the next word of the model, or before its next step.</source>
      <translation>将在模型写出下一个词时或下一步之前暂停。</translation>
    </message>
    <message>
      <source>The model reads this before its next step.</source>
      <translation>模型在下一步之前阅读它。</translation>
    </message>
    <message>
      <source>The run ended before the model read your note. It is in the question field.</source>
      <translation>运行在模型读到您的备注之前已结束。备注已放回问题框。</translation>
    </message>
    <message>
      <source>The run may take more steps.</source>
      <translation>此运行可以执行更多步骤。</translation>
    </message>
    <message>
      <source>This takes effect before the next step.</source>
      <translation>在下一步之前生效。</translation>
    </message>
  </context>
  <context>
    <name>RunPool</name>
    <message>
      <source>Something went wrong</source>
      <translation>出了问题</translation>
    </message>
  </context>
  <context>
    <name>ScansDialog</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>It is detected within a minute or two, and then reads the waiting pages in the background, at some seconds of processor time a page. You do not need to add anything again.</source>
      <translation>程序会在一两分钟内检测到它，然后在后台读取等待的页面，每页需要几秒处理器时间。您无需重新添加任何内容。</translation>
    </message>
    <message>
      <source>Text in scans and pictures</source>
      <translation>扫描件和图片中的文字</translation>
    </message>
    <message>
      <source>The package is mostly called tesseract-ocr; each language has one of its own.</source>
      <translation>软件包通常名为 tesseract-ocr；每种语言另有一个包。</translation>
    </message>
    <message>
      <source>They are read by Tesseract, a free program that runs only on this computer. Install it:</source>
      <translation>它们由 Tesseract 读取，这是只在此电脑上运行的自由软件。安装方法：</translation>
    </message>
  </context>
  <context>
    <name>ScopePicker</name>
    <message>
      <source>Limit the question to</source>
      <translation>将问题限定于</translation>
    </message>
  </context>
  <context>
    <name>ScopeRow</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>+%Ln more</source>
      <translation>
        <numerusform>还有 %Ln 项</numerusform>
      </translation>
    </message>
    <message>
      <source>Folders to search</source>
      <translation>要搜索的文件夹</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Search only this folder</source>
      <translation>仅搜索此文件夹</translation>
    </message>
    <message>
      <source>Search the whole library</source>
      <translation>搜索整个资料库</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more folder(s)</source>
      <translation>
        <numerusform>再显示 %Ln 个文件夹</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SearchHelp</name>
    <message>
      <source>How to ask</source>
      <translation>如何提问</translation>
    </message>
    <message>
      <source>Type words or a question. Or be exact:</source>
      <translation>输入词语或问题。或者精确一些：</translation>
    </message>
    <message>
      <source>also in the names of files</source>
      <translation>文件名中也找</translation>
    </message>
    <message>
      <source>at most five words between them</source>
      <translation>中间最多五个词</translation>
    </message>
    <message>
      <source>between; also 2024, 2024-03-15, &gt;2023</source>
      <translation>之间；也可写 2024、2024-03-15、&gt;2023</translation>
    </message>
    <message>
      <source>both, also OR and NOT, with brackets</source>
      <translation>两者都有，也可用 OR 和 NOT，可加括号</translation>
    </message>
    <message>
      <source>brackets group terms</source>
      <translation>括号将词组合</translation>
    </message>
    <message>
      <source>by this author</source>
      <translation>这位作者写的</translation>
    </message>
    <message>
      <source>exactly this spelling and capitals</source>
      <translation>完全相同的拼写和大小写</translation>
    </message>
    <message>
      <source>in a question the phrase only ranks higher</source>
      <translation>在问句中，短语只会使结果排得更靠前</translation>
    </message>
    <message>
      <source>in the title; content: in the text</source>
      <translation>在标题中；content: 在正文中</translation>
    </message>
    <message>
      <source>in this language</source>
      <translation>使用这种语言</translation>
    </message>
    <message>
      <source>mails from her with this subject; also to: and cc:</source>
      <translation>她写的、主题如此的邮件；也可用 to: 和 cc:</translation>
    </message>
    <message>
      <source>mails sent in that time</source>
      <translation>那段时间发出的邮件</translation>
    </message>
    <message>
      <source>one letter may differ, with ~2 two</source>
      <translation>可以差一个字母，~2 可差两个</translation>
    </message>
    <message>
      <source>only in the names of files</source>
      <translation>只在文件名中</translation>
    </message>
    <message>
      <source>only in these files; path: matches any folder</source>
      <translation>只在这些文件中；path: 匹配任何文件夹</translation>
    </message>
    <message>
      <source>the file was changed then</source>
      <translation>文件在那时更改</translation>
    </message>
    <message>
      <source>the first counts three times</source>
      <translation>第一个词按三倍计</translation>
    </message>
    <message>
      <source>the first is required, the second optional</source>
      <translation>第一个必须有，第二个可有可无</translation>
    </message>
    <message>
      <source>the first, without the second</source>
      <translation>有第一个，没有第二个</translation>
    </message>
    <message>
      <source>this exact phrase</source>
      <translation>完全相同的词组</translation>
    </message>
    <message>
      <source>whole or in part, like jo@example.org and 1,234.50</source>
      <translation>整体或部分，如 jo@example.org 和 1,234.50</translation>
    </message>
    <message>
      <source>with this tag: #travel in a note, a keyword, a label of a mail</source>
      <translation>带此标签：笔记中的 #travel、文件关键词或邮件标签</translation>
    </message>
    <message>
      <source>words with this beginning; ? is one letter</source>
      <translation>以此开头的词；? 代表一个字母</translation>
    </message>
    <message>
      <source>written, taken or sent then; also today, this month, last 3 months</source>
      <translation>在那时写成、拍摄或发出；也可用 today、this month、last 3 months</translation>
    </message>
  </context>
  <context>
    <name>SearchNameDialog</name>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
  </context>
  <context>
    <name>SearchPage</name>
    <message>
      <source>Accept the suggestion</source>
      <translation>接受建议</translation>
    </message>
    <message>
      <source>Ask about these</source>
      <translation>就这些提问</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>返回对话（Esc）</translation>
    </message>
    <message>
      <source>Back to the results</source>
      <translation>返回结果</translation>
    </message>
    <message>
      <source>Did you mean: {0}</source>
      <translation>您是不是要找：{0}</translation>
    </message>
    <message>
      <source>Go to the results</source>
      <translation>转到结果</translation>
    </message>
    <message>
      <source>How to ask</source>
      <translation>如何提问</translation>
    </message>
    <message>
      <source>In the search</source>
      <translation>在搜索中</translation>
    </message>
    <message>
      <source>Narrow down</source>
      <translation>缩小范围</translation>
    </message>
    <message>
      <source>New report over these documents…</source>
      <translation>用这些文档新建报告…</translation>
    </message>
    <message>
      <source>New table over these documents…</source>
      <translation>用这些文档新建表格…</translation>
    </message>
    <message>
      <source>Next part: query, filters, passages</source>
      <translation>下一部分：搜索词、筛选、段落</translation>
    </message>
    <message>
      <source>Next passage</source>
      <translation>下一段</translation>
    </message>
    <message>
      <source>No passage is selected</source>
      <translation>未选择段落</translation>
    </message>
    <message>
      <source>No related passages</source>
      <translation>没有相关段落</translation>
    </message>
    <message>
      <source>On a selected passage</source>
      <translation>对所选段落</translation>
    </message>
    <message>
      <source>Open the search first</source>
      <translation>请先打开搜索</translation>
    </message>
    <message>
      <source>Previous part</source>
      <translation>上一部分</translation>
    </message>
    <message>
      <source>Previous passage</source>
      <translation>上一段</translation>
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation>最近和已存的搜索</translation>
    </message>
    <message>
      <source>Related to “{0}”, {1}</source>
      <translation>与“{0}”相关，{1}</translation>
    </message>
    <message>
      <source>Remove the filter {0}</source>
      <translation>移除筛选条件 {0}</translation>
    </message>
    <message>
      <source>Save this search</source>
      <translation>保存此搜索</translation>
    </message>
    <message>
      <source>Search at once</source>
      <translation>立即搜索</translation>
    </message>
    <message>
      <source>Search for this instead</source>
      <translation>改为搜索这个</translation>
    </message>
    <message>
      <source>Search for: {0}</source>
      <translation>搜索：{0}</translation>
    </message>
    <message>
      <source>Searching…</source>
      <translation>正在搜索…</translation>
    </message>
    <message>
      <source>Searching… The first search after a start takes longer.</source>
      <translation>正在搜索… 启动后的第一次搜索需要更长时间。</translation>
    </message>
    <message>
      <source>The search failed.</source>
      <translation>搜索失败。</translation>
    </message>
    <message>
      <source>Try: {0}</source>
      <translation>试试：{0}</translation>
    </message>
    <message>
      <source>Why is a file missing?</source>
      <translation>为什么缺少某个文件？</translation>
    </message>
    <message>
      <source>below is what “{0}” found</source>
      <translation>下方是“{0}”的结果</translation>
    </message>
  </context>
  <context>
    <name>SearchStart</name>
    <message>
      <source>Add a folder to search in it</source>
      <translation>添加要搜索的文件夹</translation>
    </message>
    <message>
      <source>Be exact: phrases, AND, OR, NOT, names, dates …</source>
      <translation>精确搜索：短语、AND、OR、NOT、名称、日期……</translation>
    </message>
    <message>
      <source>Newest documents</source>
      <translation>最新文档</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>最近的文档</translation>
    </message>
    <message>
      <source>Recent searches</source>
      <translation>最近的搜索</translation>
    </message>
    <message>
      <source>Recent searches and documents</source>
      <translation>最近的搜索和文档</translation>
    </message>
    <message>
      <source>Saved searches</source>
      <translation>已保存的搜索</translation>
    </message>
    <message>
      <source>Type words or a question. Results appear as you type.</source>
      <translation>输入词语或问题。结果会随输入显示。</translation>
    </message>
  </context>
  <context>
    <name>SectionView</name>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Edit this section</source>
      <translation>编辑此节</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Text of the section in Markdown</source>
      <translation>此节的 Markdown 文本</translation>
    </message>
    <message>
      <source>Write this section again</source>
      <translation>重写此节</translation>
    </message>
    <message>
      <source>edited by you</source>
      <translation>已由您编辑</translation>
    </message>
    <message>
      <source>not written yet</source>
      <translation>尚未撰写</translation>
    </message>
  </context>
  <context>
    <name>SendButton</name>
    <message>
      <source>Send</source>
      <translation>发送</translation>
    </message>
    <message>
      <source>Send (Enter)</source>
      <translation>发送（Enter）</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Stop (Esc)</source>
      <translation>停止（Esc）</translation>
    </message>
  </context>
  <context>
    <name>SentControl</name>
    <message>
      <source>Erase</source>
      <translation>清除</translation>
    </message>
    <message>
      <source>Erase the record of what was sent?</source>
      <translation>清除已发送内容的记录？</translation>
    </message>
    <message>
      <source>It is overwritten on the disk. This cannot be undone. What was sent stays sent.</source>
      <translation>记录会在磁盘上被覆盖，无法撤销。已发送的内容无法收回。</translation>
    </message>
  </context>
  <context>
    <name>SentDialog</name>
    <message numerus="yes">
      <source>%Ln row(s)</source>
      <translation>
        <numerusform>%Ln 条记录</numerusform>
      </translation>
    </message>
    <message>
      <source>A folder, file, host or question</source>
      <translation>文件夹、文件、主机或问题</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Erase this record</source>
      <translation>清除此记录</translation>
    </message>
    <message>
      <source>Export what was sent</source>
      <translation>导出已发送的内容</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
    </message>
    <message>
      <source>Host</source>
      <translation>主机</translation>
    </message>
    <message>
      <source>Lines</source>
      <translation>行</translation>
    </message>
    <message>
      <source>Nothing like that was sent.</source>
      <translation>没有发送过这样的内容。</translation>
    </message>
    <message>
      <source>Nothing was sent.</source>
      <translation>没有发送任何内容。</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Search what was sent</source>
      <translation>搜索已发送的内容</translation>
    </message>
    <message>
      <source>The newest {0} are shown; the export has all.</source>
      <translation>显示最新的 {0} 条；导出包含全部。</translation>
    </message>
    <message>
      <source>What was sent</source>
      <translation>已发送的内容</translation>
    </message>
    <message>
      <source>When</source>
      <translation>时间</translation>
    </message>
    <message>
      <source>no document</source>
      <translation>无文档</translation>
    </message>
    <message>
      <source>not sent: no connection</source>
      <translation>未发送：无连接</translation>
    </message>
  </context>
  <context>
    <name>Sentences</name>
    <message>
      <source> This is {0}.</source>
      <translation> 这是 {0}。</translation>
    </message>
    <message>
      <source> and {0} more</source>
      <translation>及另外 {0} 个</translation>
    </message>
    <message>
      <source> or more</source>
      <translation> 或更多</translation>
    </message>
    <message>
      <source>*No language model took part in this search.*</source>
      <translation>*此次搜索没有语言模型参与。*</translation>
    </message>
    <message>
      <source>*No passage that answers the question was found.*</source>
      <translation>*未找到回答该问题的段落。*</translation>
    </message>
    <message>
      <source>*Passages of your documents, word for word:*</source>
      <translation>*您文档中的原文段落：*</translation>
    </message>
    <message>
      <source>*Quoted from your documents. No language model wrote this.*</source>
      <translation>*引自您的文档，并非由语言模型撰写。*</translation>
    </message>
    <message>
      <source>*Quoted from your documents; the line on top follows from the quotations. No language model wrote this.*</source>
      <translation>*引自您的文档；最上面一行由引文得出，并非由语言模型撰写。*</translation>
    </message>
    <message>
      <source>*The model did not answer this from your documents.*</source>
      <translation>*模型没有依据您的文档回答这个问题。*</translation>
    </message>
    <message>
      <source>*The model named no source for this, so it is not proven.*</source>
      <translation>*模型未注明出处，因此尚未得到证实。*</translation>
    </message>
    <message>
      <source>*The model named no source for this. It was shown this passage:*</source>
      <translation>*模型没有为此给出来源。它看到的段落是：*</translation>
    </message>
    <message>
      <source>*The model named no source. These passages say nearly the same:*</source>
      <translation>*模型未注明出处。以下段落的内容几乎相同：*</translation>
    </message>
    <message>
      <source>*The model wrote no answer. The passages it has read say:*</source>
      <translation>*模型没有写出答案。它读过的段落写道：*</translation>
    </message>
    <message>
      <source>*The model wrote no answer; the built-in model found none in what was read.*</source>
      <translation>*模型没有写出答案；内置模型在已读内容中也没有找到答案。*</translation>
    </message>
    <message>
      <source>*The sources that the model named lead to nothing that was read, so this is not proven.*</source>
      <translation>*模型指出的来源没有指向任何已读内容，因此这一点未得到证实。*</translation>
    </message>
    <message>
      <source>*This answer is from the model's memory; none of your documents was searched for it.*</source>
      <translation>*此答案来自模型的记忆，未搜索您的任何文档。*</translation>
    </message>
    <message>
      <source>, counting those that the list omits</source>
      <translation>，包括列表省略的</translation>
    </message>
    <message>
      <source>, nor anywhere else in the library</source>
      <translation>，资料库其他地方也没有</translation>
    </message>
    <message>
      <source>, with {0} passages</source>
      <translation>，有 {0} 段</translation>
    </message>
    <message>
      <source>.{0} files are not read yet</source>
      <translation>尚不读取 .{0} 文件</translation>
    </message>
    <message>
      <source>1 aspect</source>
      <translation>1 个方面</translation>
    </message>
    <message>
      <source>1 document</source>
      <translation>1 个文档</translation>
    </message>
    <message>
      <source>1 file</source>
      <translation>1 个文件</translation>
    </message>
    <message>
      <source>1 given passage</source>
      <translation>1 个给定段落</translation>
    </message>
    <message>
      <source>1 item</source>
      <translation>1 项</translation>
    </message>
    <message>
      <source>1 line</source>
      <translation>1 行</translation>
    </message>
    <message>
      <source>1 more of its passages ranks</source>
      <translation>它还有 1 段排名</translation>
    </message>
    <message>
      <source>1 new file</source>
      <translation>1 个新文件</translation>
    </message>
    <message>
      <source>1 page</source>
      <translation>1 页</translation>
    </message>
    <message>
      <source>1 page without text (a scan?)</source>
      <translation>1 页没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>1 passage</source>
      <translation>1 段</translation>
    </message>
    <message>
      <source>1 passage read</source>
      <translation>已读取 1 段</translation>
    </message>
    <message>
      <source>1 place</source>
      <translation>1 处</translation>
    </message>
    <message>
      <source>1 result</source>
      <translation>1 个结果</translation>
    </message>
    <message>
      <source>1 statement</source>
      <translation>1 条陈述</translation>
    </message>
    <message>
      <source>1 step</source>
      <translation>1 步</translation>
    </message>
    <message>
      <source>1 tool call</source>
      <translation>1 次工具调用</translation>
    </message>
    <message>
      <source>= requires this very spelling; leave out the ~.</source>
      <translation>= 要求完全相同的拼写；请去掉 ~。</translation>
    </message>
    <message>
      <source>A background process cannot be started ({0}).</source>
      <translation>无法启动后台进程（{0}）。</translation>
    </message>
    <message>
      <source>A background process failed</source>
      <translation>后台进程失败</translation>
    </message>
    <message>
      <source>A backslash at the end stands before nothing.</source>
      <translation>末尾的反斜杠后面没有内容。</translation>
    </message>
    <message>
      <source>A boost must be more than 0.</source>
      <translation>权重必须大于 0。</translation>
    </message>
    <message>
      <source>A certificate needs https://. Change the address of the team library.</source>
      <translation>证书需要 https://。请更改团队资料库的地址。</translation>
    </message>
    <message>
      <source>A column has no question.</source>
      <translation>有一列没有问题。</translation>
    </message>
    <message>
      <source>A copy of the team's library is missing, as when one of its servers is away; what is found is complete.</source>
      <translation>团队资料库缺少一份副本，例如其中一台服务器不可用；查找结果仍然完整。</translation>
    </message>
    <message>
      <source>A disk of the team's server is full, so it refuses changes ({0}).</source>
      <translation>团队服务器的磁盘已满，因此拒绝更改（{0}）。</translation>
    </message>
    <message>
      <source>A disk of the team's server is full, so it takes no changes; newer ones are missing.</source>
      <translation>团队服务器的一块磁盘已满，因此无法接受更改；较新的更改尚未包含在内。</translation>
    </message>
    <message>
      <source>A document of this report was marked as never sent meanwhile. Write it again.</source>
      <translation>此报告的一个文档在此期间被标记为从不发送。请重新撰写。</translation>
    </message>
    <message>
      <source>A document of this table was marked as never sent meanwhile. Fill it again.</source>
      <translation>此表格的一个文档在此期间被标记为从不发送。请重新填写。</translation>
    </message>
    <message>
      <source>A limit is reached</source>
      <translation>已达到限额</translation>
    </message>
    <message>
      <source>A part of the team's library did not answer, so passages may be missing. Try again in a moment.</source>
      <translation>团队资料库的一部分没有响应，因此可能缺少一些段落。请稍后再试。</translation>
    </message>
    <message>
      <source>A part of the team's library is not available now. Try again in a moment.</source>
      <translation>团队资料库的一部分目前不可用。请稍后再试。</translation>
    </message>
    <message>
      <source>A part of the team's library is not available: {0}</source>
      <translation>团队资料库的一部分不可用：{0}</translation>
    </message>
    <message>
      <source>A part of this file is damaged and was left out.</source>
      <translation>此文件的一部分已损坏，已被略过。</translation>
    </message>
    <message>
      <source>A password is sent over https:// only. Change the address of the team library.</source>
      <translation>密码只通过 https:// 发送。请更改团队资料库的地址。</translation>
    </message>
    <message>
      <source>A password needs the name of its user. Write both, or neither.</source>
      <translation>密码需要对应的用户名。请两者都填写，或都不填写。</translation>
    </message>
    <message>
      <source>A prompt of {0} tokens arrives whole.</source>
      <translation>{0} 个词元的提示完整送达。</translation>
    </message>
    <message>
      <source>A prompt of {0} tokens is refused, though the settings say {1}.</source>
      <translation>{0} 个词元的提示被拒绝，而设置中写的是 {1}。</translation>
    </message>
    <message>
      <source>A question has at most {0} characters: “{1}”.</source>
      <translation>一个问题最多 {0} 个字符：“{1}”。</translation>
    </message>
    <message>
      <source>A range is written [from TO to], with * for an open side.</source>
      <translation>范围写作 [起 TO 止]，* 表示不限。</translation>
    </message>
    <message>
      <source>A range is written in square brackets: [from TO to].</source>
      <translation>范围写在方括号中：[起 TO 止]。</translation>
    </message>
    <message>
      <source>A sheet repeats a row too often; the rest of it was left out.</source>
      <translation>某个工作表重复同一行的次数过多；其余部分已略去。</translation>
    </message>
    <message>
      <source>A store of files needs the id of an access key. Write both, or neither.</source>
      <translation>文件存储需要访问密钥的编号。请两项都填写，或都不填写。</translation>
    </message>
    <message>
      <source>A table needs at least one column: a question such as “Rent per month”.</source>
      <translation>表格至少需要一列：例如“每月租金”这样的问题。</translation>
    </message>
    <message>
      <source>A table of this file is damaged and was left out.</source>
      <translation>此文件中的一个表格已损坏，已略去。</translation>
    </message>
    <message>
      <source>A team library has no exact mode. Search for a phrase instead: "as it is written".</source>
      <translation>团队资料库没有精确模式。请改为搜索短语："按原文书写"。</translation>
    </message>
    <message>
      <source>A text in the catalog is damaged. Run `desktop-rag check --repair`.</source>
      <translation>目录中的一段文本已损坏。请运行 `desktop-rag check --repair`。</translation>
    </message>
    <message>
      <source>A word cannot begin with *.</source>
      <translation>词语不能以 * 开头。</translation>
    </message>
    <message>
      <source>Access databases are not read yet; export their tables as .csv or .xlsx</source>
      <translation>尚不读取 Access 数据库；请将其中的表导出为 .csv 或 .xlsx</translation>
    </message>
    <message>
      <source>Adding up {0}</source>
      <translation>正在合计{0}</translation>
    </message>
    <message>
      <source>Allowed to go on: {0} more {1}</source>
      <translation>允许继续：再增加 {0} {1}</translation>
    </message>
    <message>
      <source>Allowed to spend more than the limit</source>
      <translation>允许超出费用上限</translation>
    </message>
    <message>
      <source>Already done</source>
      <translation>已完成</translation>
    </message>
    <message>
      <source>Another encoder is being added. Start again when it is ready.</source>
      <translation>正在添加另一个编码器。请等它完成后再试。</translation>
    </message>
    <message>
      <source>Another program changed the team's library at the same moment ({0}).</source>
      <translation>另一个程序同时更改了团队资料库（{0}）。</translation>
    </message>
    <message>
      <source>Another program is filling this table. What it finds is kept; look again when it is done.</source>
      <translation>另一个程序正在填写此表格。它找到的内容会保留；请在它完成后再查看。</translation>
    </message>
    <message>
      <source>Another program is writing the keyword index; close it and try again.</source>
      <translation>另一个程序正在写入词语索引；请关闭它后重试。</translation>
    </message>
    <message>
      <source>Another program is writing this report. Look again when it is done.</source>
      <translation>另一个程序正在撰写此报告。请在它完成后再查看。</translation>
    </message>
    <message>
      <source>Another program works on this</source>
      <translation>另一个程序正在处理</translation>
    </message>
    <message>
      <source>Another program writes “{0}” to this team library. Stop one of them, or give it another --name.</source>
      <translation>另一个程序正在向此团队资料库写入“{0}”。请停止其中一个，或用 --name 指定其他名称。</translation>
    </message>
    <message>
      <source>Another store or access key needs its secret: give it, too.</source>
      <translation>更换存储或访问密钥时，需要同时提供其密钥口令。</translation>
    </message>
    <message>
      <source>Another user or server needs its password or token: give it, too.</source>
      <translation>更换用户或服务器时，需要同时提供其密码或令牌。</translation>
    </message>
    <message>
      <source>Archives</source>
      <translation>压缩包</translation>
    </message>
    <message>
      <source>Archives of this kind are read where libarchive is installed (package libarchive13); or unpack this one.</source>
      <translation>安装 libarchive（软件包 libarchive13）后可读取此类归档；或先解压。</translation>
    </message>
    <message>
      <source>At most {0} letters of a word may differ.</source>
      <translation>一个词最多可差 {0} 个字母。</translation>
    </message>
    <message>
      <source>By exact text</source>
      <translation>按精确文本</translation>
    </message>
    <message>
      <source>By meaning</source>
      <translation>按含义</translation>
    </message>
    <message>
      <source>By words</source>
      <translation>按词语</translation>
    </message>
    <message>
      <source>By words and meaning together</source>
      <translation>按词语和含义</translation>
    </message>
    <message>
      <source>By words and meaning, re-ranked</source>
      <translation>按词语和含义，重新排序</translation>
    </message>
    <message>
      <source>Calculating {0}</source>
      <translation>正在计算{0}</translation>
    </message>
    <message>
      <source>Calling {0}</source>
      <translation>正在调用 {0}</translation>
    </message>
    <message>
      <source>Cells of the sheet {0} that are far from the others were left out.</source>
      <translation>工作表 {0} 中远离其他单元格的单元格已被略去。</translation>
    </message>
    <message>
      <source>Check the proxy of this model, or of the system.</source>
      <translation>请检查此模型或系统的代理。</translation>
    </message>
    <message>
      <source>Checked {0}. {1}.</source>
      <translation>已核对{0}。{1}。</translation>
    </message>
    <message>
      <source>Choose a model that LM Studio marks as trained for tool use.</source>
      <translation>请选择 LM Studio 标记为经过工具使用训练的模型。</translation>
    </message>
    <message>
      <source>Choose a model that supports tool calls, or start the server with tool calls enabled.</source>
      <translation>请选择支持工具调用的模型，或在启动服务器时启用工具调用。</translation>
    </message>
    <message>
      <source>Choose a model trained for tool calls, and start the server with its own template: llama-server -m MODEL.gguf --jinja -c 16384</source>
      <translation>请选择经过工具调用训练的模型，并用其自带的模板启动服务器：llama-server -m MODEL.gguf --jinja -c 16384</translation>
    </message>
    <message>
      <source>Choose a model trained for tool calls, and start the server with its parser, such as: vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes</source>
      <translation>请选择一个为工具调用训练过的模型，并用它的解析器启动服务器，例如：vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes</translation>
    </message>
    <message>
      <source>Choose a model whose capabilities (ollama show MODEL) include tools, such as: ollama pull qwen3:4b</source>
      <translation>请选择能力（ollama show MODEL）中包含 tools 的模型，例如：ollama pull qwen3:4b</translation>
    </message>
    <message>
      <source>Choose a model.</source>
      <translation>请选择模型。</translation>
    </message>
    <message>
      <source>Comparing {0}</source>
      <translation>正在比较{0}</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>上下文窗口</translation>
    </message>
    <message>
      <source>Converting needs the package onnx, which this build does not have. Convert on a computer with “pip install 'desktop-rag[encoders]'” and add the converted folder here, or add the model's ONNX file.</source>
      <translation>转换需要 onnx 软件包，而此版本没有。请在执行过 “pip install 'desktop-rag[encoders]'” 的电脑上转换，再在这里添加转换后的文件夹，或添加模型的 ONNX 文件。</translation>
    </message>
    <message>
      <source>Converting the encoder ended unexpectedly: its files are damaged, or memory did not suffice.</source>
      <translation>编码器转换意外结束：其文件已损坏，或内存不足。</translation>
    </message>
    <message>
      <source>Databases</source>
      <translation>数据库</translation>
    </message>
    <message>
      <source>Desktop RAG does not do what this link asks for. A link can open, search and ask.</source>
      <translation>Desktop RAG 无法执行此链接的要求。链接只能打开、搜索和提问。</translation>
    </message>
    <message>
      <source>Drawings</source>
      <translation>绘图</translation>
    </message>
    <message>
      <source>E-books</source>
      <translation>电子书</translation>
    </message>
    <message>
      <source>E-mails</source>
      <translation>电子邮件</translation>
    </message>
    <message>
      <source>Ended after {0} seconds. What is not listed was not tried.</source>
      <translation>{0} 秒后结束。未列出的项目没有尝试。</translation>
    </message>
    <message>
      <source>Everything required occurs in it, but no single passage matches the whole query.</source>
      <translation>其中包含所有必需内容，但没有一段满足整个搜索。</translation>
    </message>
    <message>
      <source>Files are stored over https:// only. Change the address of the store.</source>
      <translation>文件只通过 https:// 存储。请更改存储的地址。</translation>
    </message>
    <message>
      <source>Files nested this deeply in other files are not read.</source>
      <translation>在其他文件中嵌套如此之深的文件不予读取。</translation>
    </message>
    <message>
      <source>Files of Microsoft Works are not read yet; save them as .odt or .docx, such as with LibreOffice</source>
      <translation>尚不读取 Microsoft Works 文件；请另存为 .odt 或 .docx，例如用 LibreOffice</translation>
    </message>
    <message>
      <source>Films</source>
      <translation>视频</translation>
    </message>
    <message>
      <source>Fonts</source>
      <translation>字体</translation>
    </message>
    <message>
      <source>Found as {0}, which has the same text: place {1} of the list.</source>
      <translation>作为文本相同的 {0} 找到：列表第 {1} 位。</translation>
    </message>
    <message>
      <source>Found: place {0} of the list{1}.</source>
      <translation>已找到：列表第 {0} 位{1}。</translation>
    </message>
    <message>
      <source>Further down: {0}.</source>
      <translation>排在更后：{0}。</translation>
    </message>
    <message>
      <source>Give the words to look for.</source>
      <translation>请给出要查找的词。</translation>
    </message>
    <message>
      <source>How much it reads at once is not reported; check its context window.</source>
      <translation>未报告一次能读取多少内容；请检查其上下文窗口。</translation>
    </message>
    <message>
      <source>I am not sure that this answers the question; these are the best hits:</source>
      <translation>不确定这是否回答了问题；以下是最佳匹配：</translation>
    </message>
    <message>
      <source>In the part of your library that you chose: {0}.</source>
      <translation>您所选的资料库部分中：{0}。</translation>
    </message>
    <message>
      <source>In your library: {0}.</source>
      <translation>您的资料库中：{0}。</translation>
    </message>
    <message>
      <source>Internal error: {0}</source>
      <translation>内部错误：{0}</translation>
    </message>
    <message>
      <source>It asks to wait {0}.</source>
      <translation>它要求等待 {0}。</translation>
    </message>
    <message>
      <source>It can be found by its words and by meaning.</source>
      <translation>可以按词语和含义找到它。</translation>
    </message>
    <message>
      <source>It can be found by its words.</source>
      <translation>可以按词语找到它。</translation>
    </message>
    <message>
      <source>It cannot be looked at now: you have no permission to open its folder.</source>
      <translation>现在无法查看它：您没有打开其文件夹的权限。</translation>
    </message>
    <message>
      <source>It cannot be opened: {0}.</source>
      <translation>无法打开它：{0}。</translation>
    </message>
    <message>
      <source>It did not find by itself what was asked: the program searches for it from now on.</source>
      <translation>模型未能自行找到所问内容：今后由程序为其搜索。</translation>
    </message>
    <message>
      <source>It had not finished its answer when the time was over.</source>
      <translation>时间用完时，模型还没有答完。</translation>
    </message>
    <message>
      <source>It has not been seen yet: the next scan of its folder finds it.</source>
      <translation>还没有看到它：下次扫描其文件夹时会找到。</translation>
    </message>
    <message>
      <source>It has several names (hard links), and the rules of this folder leave such files out</source>
      <translation>它有多个名称（硬链接），而此文件夹的规则会排除此类文件</translation>
    </message>
    <message>
      <source>It has {0} names (hard links): the others may lie outside of this folder.</source>
      <translation>它有 {0} 个名称（硬链接）：其他名称可能位于此文件夹之外。</translation>
    </message>
    <message>
      <source>It is a folder of the library.</source>
      <translation>它是资料库的一个文件夹。</translation>
    </message>
    <message>
      <source>It is already part of {0}.</source>
      <translation>它已是 {0} 的一部分。</translation>
    </message>
    <message>
      <source>It is inside {0}, which excludes it. {1}</source>
      <translation>它在 {0} 中，被其排除。{1}</translation>
    </message>
    <message>
      <source>It is neither a folder nor a file.</source>
      <translation>它既不是文件夹也不是文件。</translation>
    </message>
    <message>
      <source>It is no folder of documents: the system makes its files at the moment they are read ({0}).</source>
      <translation>这不是文档文件夹：系统在读取时才生成其中的文件（{0}）。</translation>
    </message>
    <message>
      <source>It is not a regular file.</source>
      <translation>它不是普通文件。</translation>
    </message>
    <message>
      <source>It is not there now: the next scan of its folder finds out whether it was deleted.</source>
      <translation>它现在不在：下次扫描其文件夹时会确定它是否已被删除。</translation>
    </message>
    <message>
      <source>It is not there now; what was read stays searchable.</source>
      <translation>它现在不在；已读取的内容仍可搜索。</translation>
    </message>
    <message>
      <source>It is not there.</source>
      <translation>它不在那里。</translation>
    </message>
    <message>
      <source>It is not there. {0}</source>
      <translation>它不在那里。{0}</translation>
    </message>
    <message>
      <source>It is on a network ({0}), which reports no changes</source>
      <translation>它在网络上（{0}），那里不报告更改</translation>
    </message>
    <message>
      <source>It is read.</source>
      <translation>会被读取。</translation>
    </message>
    <message>
      <source>It is slow: the program searches for it from now on, and shows its passages before the model's words.</source>
      <translation>模型较慢：今后由程序为其搜索，并先显示段落，再显示模型的文字。</translation>
    </message>
    <message>
      <source>It is small, or its window is: the program searches for it from now on.</source>
      <translation>模型或其窗口较小：今后由程序为其搜索。</translation>
    </message>
    <message>
      <source>It lies in no folder of the library.</source>
      <translation>它不在资料库的任何文件夹中。</translation>
    </message>
    <message>
      <source>It names no file: write a name or a pattern after it.</source>
      <translation>没有指明文件：请在后面写名称或模式。</translation>
    </message>
    <message>
      <source>It ranks higher because of a link from {0}.</source>
      <translation>因为来自 {0} 的链接，它排得更高。</translation>
    </message>
    <message>
      <source>It searched the sample library by itself and found what was asked: “Thorough” suits it.</source>
      <translation>模型自行搜索了示例资料库并找到了所问内容：适合使用“深入”。</translation>
    </message>
    <message>
      <source>It sent no answer.</source>
      <translation>没有回应。</translation>
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation>正在等待读取。</translation>
    </message>
    <message>
      <source>Its context window is {0} tokens.</source>
      <translation>其上下文窗口为 {0} 个词元。</translation>
    </message>
    <message>
      <source>Its first words came after {0} seconds ({1} tokens read); it writes {2} a second.</source>
      <translation>首批文字在 {0} 秒后出现（读取 {1} 个词元）；每秒写出 {2} 个。</translation>
    </message>
    <message>
      <source>Its first words came after {0} seconds, for which it read {1} tokens.</source>
      <translation>首批文字在 {0} 秒后出现，为此读取了 {1} 个词元。</translation>
    </message>
    <message>
      <source>Its folder holds a file named “{0}”.</source>
      <translation>其文件夹中有名为“{0}”的文件。</translation>
    </message>
    <message>
      <source>Its folder is not there now; what was read stays searchable.</source>
      <translation>其文件夹现在不在；已读取的内容仍可搜索。</translation>
    </message>
    <message>
      <source>Its folder is paused.</source>
      <translation>其文件夹已暂停。</translation>
    </message>
    <message>
      <source>Its models are not listed.</source>
      <translation>未列出其模型。</translation>
    </message>
    <message>
      <source>Its pages are pictures: it can be found by its name only, until they are recognised.</source>
      <translation>其页面为图片：在识别完成之前，只能按名称找到。</translation>
    </message>
    <message>
      <source>Its pages are pictures: only its name and the few words beside them can be found, until they are recognised.</source>
      <translation>其页面是图片：在识别之前，只能按名称和图片旁的少量文字找到它。</translation>
    </message>
    <message>
      <source>Its pictures wait for text recognition (OCR)</source>
      <translation>其图片等待文字识别（OCR）</translation>
    </message>
    <message>
      <source>Larger than {0} MB, the limit of this folder</source>
      <translation>超过 {0} MB，即此文件夹的限制</translation>
    </message>
    <message>
      <source>Line {0} of the file is no valid JSON: mend it first. Nothing was changed.</source>
      <translation>文件第 {0} 行不是有效的 JSON，请先改正。未作任何更改。</translation>
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, leaves it out.</source>
      <translation>{1} 的第 {0} 行“{2}”将其排除。</translation>
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, {3}.</source>
      <translation>{1} 的第 {0} 行“{2}”{3}。</translation>
    </message>
    <message>
      <source>Lines {0} to {1} are no lines: give the first, from 1, and the last.</source>
      <translation>{0} 到 {1} 不是有效的行：请给出首行（从 1 起）和末行。</translation>
    </message>
    <message>
      <source>Lines {0}–{1} of {2}</source>
      <translation>第 {0}–{1} 行，共 {2} 行</translation>
    </message>
    <message>
      <source>Listing documents</source>
      <translation>列出文档</translation>
    </message>
    <message>
      <source>Load the model with: lms load MODEL --context-length {0}</source>
      <translation>请这样加载模型：lms load MODEL --context-length {0}</translation>
    </message>
    <message>
      <source>Long prompts</source>
      <translation>长提示</translation>
    </message>
    <message>
      <source>Looking for documents with a word of {0} in their names</source>
      <translation>查找名称中含有{0}中某个词的文档</translation>
    </message>
    <message>
      <source>Looking for {0} in {1}</source>
      <translation>正在 {1} 中查找{0}</translation>
    </message>
    <message>
      <source>Mails nested this deeply in other mails are not read.</source>
      <translation>在其他邮件中嵌套如此之深的邮件不予读取。</translation>
    </message>
    <message>
      <source>Memory is too short to open the keyword index. Close other programs.</source>
      <translation>内存不足，无法打开关键词索引。请关闭其他程序。</translation>
    </message>
    <message>
      <source>Memory is too short to open the vectors. Close other programs.</source>
      <translation>内存不足，无法打开向量。请关闭其他程序。</translation>
    </message>
    <message>
      <source>Model files are run by llama.cpp, which is not part of the program. Install it with `{0}`, or run the file with Ollama or LM Studio and use that as a model.</source>
      <translation>模型文件由 llama.cpp 运行，它不是本程序的一部分。请用 `{0}` 安装它，或用 Ollama 或 LM Studio 运行该文件并将其用作模型。</translation>
    </message>
    <message>
      <source>More programs watch folders than this system allows</source>
      <translation>监视文件夹的程序超出了系统允许的数量</translation>
    </message>
    <message>
      <source>More rows of the table have as many words of the question as the ones quoted.</source>
      <translation>表格中还有其他行与所引用的行含有同样多的问题词语。</translation>
    </message>
    <message>
      <source>More steps allowed</source>
      <translation>已允许更多步骤</translation>
    </message>
    <message>
      <source>No document fulfils these conditions.</source>
      <translation>没有文档符合这些条件。</translation>
    </message>
    <message>
      <source>No document has {0}.</source>
      <translation>没有文档包含{0}。</translation>
    </message>
    <message>
      <source>No document is open.</source>
      <translation>没有打开的文档。</translation>
    </message>
    <message>
      <source>No document of the library fulfils these conditions.</source>
      <translation>资料库中没有文档符合这些条件。</translation>
    </message>
    <message>
      <source>No encoder is known as “{0}”. Known are {1}; others can be added from a folder.</source>
      <translation>没有名为“{0}”的已知编码器。已知的有 {1}；其他的可以从文件夹添加。</translation>
    </message>
    <message>
      <source>No file of this library has the path {0}.</source>
      <translation>此资料库中没有路径为{0}的文件。</translation>
    </message>
    <message>
      <source>No folder of the library is {0}, or lies in it.</source>
      <translation>资料库中没有文件夹是 {0} 或位于其中。</translation>
    </message>
    <message>
      <source>No library can be made in {0} ({1}).</source>
      <translation>无法在 {0} 中创建资料库（{1}）。</translation>
    </message>
    <message>
      <source>No match</source>
      <translation>没有匹配</translation>
    </message>
    <message>
      <source>No model at this address</source>
      <translation>此地址没有模型</translation>
    </message>
    <message>
      <source>No model at {0} ({1}). Check the address.</source>
      <translation>{0} 处没有模型（{1}）。请检查地址。</translation>
    </message>
    <message>
      <source>No model is chosen, or the second look is switched off: no model can look.</source>
      <translation>未选择模型，或已关闭二次核对：没有模型可以核对。</translation>
    </message>
    <message>
      <source>No models are listed. Type the model's name as its server writes it.</source>
      <translation>未列出任何模型。请按服务器的写法输入模型名称。</translation>
    </message>
    <message>
      <source>No passage has all of these words.</source>
      <translation>没有段落包含所有这些词。</translation>
    </message>
    <message>
      <source>No passage has {0} word for word.</source>
      <translation>没有段落逐字包含{0}。</translation>
    </message>
    <message>
      <source>No passage was found since the last answer.</source>
      <translation>自上次回答以来没有找到新段落。</translation>
    </message>
    <message>
      <source>No path was found at which the indexer can listen ({0}).</source>
      <translation>找不到索引器可监听的路径（{0}）。</translation>
    </message>
    <message>
      <source>No quotation mentions {0} together.</source>
      <translation>没有一处引文同时提到{0}。</translation>
    </message>
    <message>
      <source>No sentence that answers this was found in the part of your library that you chose.</source>
      <translation>在您所选的资料库部分中未找到回答此问题的句子。</translation>
    </message>
    <message>
      <source>No sentence that answers this was found in your library.</source>
      <translation>在您的资料库中未找到回答此问题的句子。</translation>
    </message>
    <message>
      <source>No sentence that answers “{0}” was found in the part of your library that you chose.</source>
      <translation>在您所选的资料库部分中未找到回答“{0}”的句子。</translation>
    </message>
    <message>
      <source>No sentence that answers “{0}” was found in your library.</source>
      <translation>在您的资料库中未找到回答“{0}”的句子。</translation>
    </message>
    <message>
      <source>No such document</source>
      <translation>没有这样的文档</translation>
    </message>
    <message>
      <source>None of these quotations mentions {0}.</source>
      <translation>这些引文都没有提到{0}。</translation>
    </message>
    <message>
      <source>Not found by this search.</source>
      <translation>此搜索未找到。</translation>
    </message>
    <message>
      <source>Not found: a condition on files excludes it.</source>
      <translation>未找到：文件条件将其排除。</translation>
    </message>
    <message>
      <source>Not found: it is not among the first {0} passages.</source>
      <translation>未找到：它不在前 {0} 段之中。</translation>
    </message>
    <message>
      <source>Not in the passages that were read; the document is longer.</source>
      <translation>已阅读的段落中没有；文档更长。</translation>
    </message>
    <message>
      <source>Not read</source>
      <translation>未读取</translation>
    </message>
    <message>
      <source>Notebooks</source>
      <translation>笔记本</translation>
    </message>
    <message>
      <source>Nothing about “{0}” was found.</source>
      <translation>未找到关于“{0}”的内容。</translation>
    </message>
    <message>
      <source>Nothing answers at {0}. Start the server, or check the address and port.</source>
      <translation>{0} 没有响应。请启动服务器，或检查地址和端口。</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>未找到任何内容</translation>
    </message>
    <message>
      <source>Nothing found; {0} stands nowhere</source>
      <translation>未找到任何内容；{0}无处可见</translation>
    </message>
    <message>
      <source>Nothing given</source>
      <translation>没有给定内容</translation>
    </message>
    <message>
      <source>Nothing is sent as long as “{0}” is on the never-send list without its whole path. Correct it in the settings under Privacy.</source>
      <translation>只要“{0}”在“从不发送”列表中没有完整路径，就不会发送任何内容。请在设置的“隐私”中更正。</translation>
    </message>
    <message>
      <source>Nothing more was sent: this question had found “{0}” before it was marked as never sent. Ask again: the answer will do without it.</source>
      <translation>没有再发送任何内容：在“{0}”被标记为从不发送之前，此问题已找到它。请重新提问：回答将不使用它。</translation>
    </message>
    <message>
      <source>Nothing that was read mentions {0}.</source>
      <translation>所读内容均未提及{0}。</translation>
    </message>
    <message>
      <source>Nothing was exported</source>
      <translation>未导出任何内容</translation>
    </message>
    <message>
      <source>Nothing was sent</source>
      <translation>没有发送任何内容</translation>
    </message>
    <message>
      <source>Nothing was sent to {0} yet: allow it in the window when it asks, or with `desktop-rag sent --allow {1}`. It will receive your questions and the passages that are read to answer them.</source>
      <translation>尚未向 {0} 发送任何内容：请在窗口询问时允许，或使用 `desktop-rag sent --allow {1}`。之后它会收到您的问题以及为回答而读取的段落。</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: the program is set to work offline. Change that in the settings under Privacy, or choose the built-in model.</source>
      <translation>没有向 {0} 发送任何内容：程序已设为离线工作。请在设置的“隐私”中更改，或选择内置模型。</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: the record of what is sent cannot be written ({1}).</source>
      <translation>没有向 {0} 发送任何内容：无法写入发送记录（{1}）。</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: “{1}” is set to be on this computer only, and this address is not.</source>
      <translation>没有向 {0} 发送任何内容：“{1}”设为只能在这台电脑上，而该地址不是。</translation>
    </message>
    <message>
      <source>OCR is not installed (install Tesseract: package tesseract-ocr)</source>
      <translation>未安装 OCR（请安装 Tesseract：软件包 tesseract-ocr）</translation>
    </message>
    <message>
      <source>Of a prompt of about {0} tokens only {1} arrived: the beginning is cut off silently.</source>
      <translation>约 {0} 个词元的提示只送达了 {1} 个：开头被悄悄截断。</translation>
    </message>
    <message>
      <source>One model is listed.</source>
      <translation>列出了一个模型。</translation>
    </message>
    <message>
      <source>OneNote files are not read yet; export their pages as PDF or .docx</source>
      <translation>尚不读取 OneNote 文件；请将其页面导出为 PDF 或 .docx</translation>
    </message>
    <message>
      <source>Only a part of it was read: {0}</source>
      <translation>只读取了其中一部分：{0}</translation>
    </message>
    <message>
      <source>Only date:, sent: and modified: take a range.</source>
      <translation>只有 date:、sent: 和 modified: 可用范围。</translation>
    </message>
    <message>
      <source>Only mails have “{0}:”, and there is no mail in this library.</source>
      <translation>只有邮件才有“{0}:”，而此资料库中没有邮件。</translation>
    </message>
    <message>
      <source>Only passages that the conditions of this search leave out have these words.</source>
      <translation>只有被此次搜索的条件排除的段落包含这些词。</translation>
    </message>
    <message>
      <source>Only the first {0} pages of this book were read.</source>
      <translation>只读取了本书的前 {0} 页。</translation>
    </message>
    <message>
      <source>Only the first {0} pages of this comic were read.</source>
      <translation>只读取了这本漫画的前 {0} 页。</translation>
    </message>
    <message>
      <source>Opening {0}</source>
      <translation>打开 {0}</translation>
    </message>
    <message>
      <source>Outlines and links {0}</source>
      <translation>大纲和链接{0}</translation>
    </message>
    <message>
      <source>Page {0} cannot be shown: {1}.</source>
      <translation>无法显示第 {0} 页：{1}。</translation>
    </message>
    <message>
      <source>Parallel calls</source>
      <translation>并行调用</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>Pictures in which text recognition (OCR) found no words</source>
      <translation>文字识别（OCR）未在其中找到文字的图片</translation>
    </message>
    <message>
      <source>Pictures inside other files are not read.</source>
      <translation>不读取其他文件中的图片。</translation>
    </message>
    <message>
      <source>Pictures: waiting for text recognition (OCR)</source>
      <translation>图片：等待文字识别（OCR）</translation>
    </message>
    <message>
      <source>PostScript and DVI files are not read yet; convert them to PDF</source>
      <translation>尚不读取 PostScript 和 DVI 文件；请转换为 PDF</translation>
    </message>
    <message>
      <source>Presentations</source>
      <translation>演示文稿</translation>
    </message>
    <message>
      <source>Programs</source>
      <translation>程序</translation>
    </message>
    <message>
      <source>Publisher files are not read yet; export them as PDF</source>
      <translation>尚不读取 Publisher 文件；请导出为 PDF</translation>
    </message>
    <message>
      <source>Raise the context length in the settings of the server to {0} tokens.</source>
      <translation>请在服务器设置中把上下文长度提高到 {0} 个词元。</translation>
    </message>
    <message>
      <source>Re-ranked, with the links of the best passages</source>
      <translation>重新排序，并沿最佳段落的链接查找</translation>
    </message>
    <message>
      <source>Read: {0} of {1} lines ({2}) of {3}.</source>
      <translation>已读：{3} 的 {1} 行中的 {0} 行（{2}）。</translation>
    </message>
    <message>
      <source>Reading further needs more memory than is allowed; the rest of this file was left out.</source>
      <translation>继续读取所需内存超出限制；此文件的其余部分已略去。</translation>
    </message>
    <message>
      <source>Reading this file needs more memory than is allowed.</source>
      <translation>读取此文件需要的内存超过允许值。</translation>
    </message>
    <message>
      <source>Reading this file takes too long; the rest of it was left out.</source>
      <translation>读取此文件耗时过长；其余部分已略去。</translation>
    </message>
    <message>
      <source>Reading this file was interrupted: {0}. It is tried again later.</source>
      <translation>读取此文件时被中断：{0}。稍后会重试。</translation>
    </message>
    <message>
      <source>Reading this file {0}</source>
      <translation>读取此文件时{0}</translation>
    </message>
    <message>
      <source>Reading {0}</source>
      <translation>正在读取 {0}</translation>
    </message>
    <message>
      <source>Reading {0} first</source>
      <translation>先读取{0}</translation>
    </message>
    <message>
      <source>Reading {0}{1}</source>
      <translation>正在读取 {0}{1}</translation>
    </message>
    <message>
      <source>Recognising text was interrupted: {0}.</source>
      <translation>文字识别被中断：{0}。</translation>
    </message>
    <message>
      <source>Say how many words may stand between, for example ~5.</source>
      <translation>请说明中间最多可有几个词，例如 ~5。</translation>
    </message>
    <message>
      <source>Search by meaning covers {0} % of its sentences so far.</source>
      <translation>含义搜索目前覆盖其 {0} % 的句子。</translation>
    </message>
    <message>
      <source>Search by meaning covers {0} so far.</source>
      <translation>含义搜索目前覆盖 {0}。</translation>
    </message>
    <message>
      <source>Search by meaning is incomplete until indexing has made the vector files anew.</source>
      <translation>在索引重新生成向量文件之前，语义搜索不完整。</translation>
    </message>
    <message>
      <source>Search by meaning is not available</source>
      <translation>无法按含义搜索</translation>
    </message>
    <message>
      <source>Searched for {0}.</source>
      <translation>已搜索 {0}。</translation>
    </message>
    <message>
      <source>Searching for passages like {0}</source>
      <translation>正在搜索与{0}相似的段落</translation>
    </message>
    <message>
      <source>Searching for the meaning of {0}</source>
      <translation>正在按含义搜索{0}</translation>
    </message>
    <message>
      <source>Searching for the words {0}</source>
      <translation>正在搜索词语{0}</translation>
    </message>
    <message>
      <source>Searching {0}</source>
      <translation>正在搜索{0}</translation>
    </message>
    <message>
      <source>Searching {0}{1}</source>
      <translation>正在搜索{0}{1}</translation>
    </message>
    <message>
      <source>Sentences {0}</source>
      <translation>句子 {0}</translation>
    </message>
    <message>
      <source>Showing this page needs more memory than is allowed.</source>
      <translation>显示此页所需内存超出限制。</translation>
    </message>
    <message>
      <source>Some of it is on a drive that is not connected now; its text stays searchable.</source>
      <translation>其中一部分位于当前未连接的驱动器上；其文字仍可搜索。</translation>
    </message>
    <message>
      <source>Something went wrong</source>
      <translation>出了问题</translation>
    </message>
    <message>
      <source>Sounds</source>
      <translation>音频</translation>
    </message>
    <message>
      <source>Sounds and films inside other files are not read.</source>
      <translation>不读取其他文件中的声音和影片。</translation>
    </message>
    <message>
      <source>Spreadsheets</source>
      <translation>电子表格</translation>
    </message>
    <message>
      <source>Start the server with: OLLAMA_CONTEXT_LENGTH={0} ollama serve</source>
      <translation>请这样启动服务器：OLLAMA_CONTEXT_LENGTH={0} ollama serve</translation>
    </message>
    <message>
      <source>Start the server with: llama-server -m MODEL.gguf -c {0}</source>
      <translation>请这样启动服务器：llama-server -m MODEL.gguf -c {0}</translation>
    </message>
    <message>
      <source>Start the server with: vllm serve MODEL --max-model-len {0}</source>
      <translation>请这样启动服务器：vllm serve MODEL --max-model-len {0}</translation>
    </message>
    <message>
      <source>Summing up, keeping {0}</source>
      <translation>正在总结，保留{0}</translation>
    </message>
    <message>
      <source>Taking {0}</source>
      <translation>正在取用 {0}</translation>
    </message>
    <message>
      <source>Tesseract cannot be started ({0}).</source>
      <translation>无法启动 Tesseract（{0}）。</translation>
    </message>
    <message>
      <source>Test it to see how it answers.</source>
      <translation>测试一下，看看它如何回答。</translation>
    </message>
    <message>
      <source>The API key of this model contains {0} and was not sent. Enter the key again in the settings.</source>
      <translation>此模型的 API 密钥包含 {0}，未发送。请在设置中重新输入密钥。</translation>
    </message>
    <message>
      <source>The CA file {0} cannot be used ({1}). Choose a PEM file in the settings of the model.</source>
      <translation>无法使用 CA 文件 {0}（{1}）。请在模型设置中选择 PEM 文件。</translation>
    </message>
    <message>
      <source>The CA file {0} cannot be used ({1}). Choose a PEM file.</source>
      <translation>无法使用 CA 文件 {0}（{1}）。请选择 PEM 文件。</translation>
    </message>
    <message>
      <source>The account at {0} has no credit left ({1}). Add credit there, or choose another model.</source>
      <translation>{0} 的账户余额已用完（{1}）。请在那里充值，或选择其他模型。</translation>
    </message>
    <message>
      <source>The account has no credit left</source>
      <translation>账户余额不足</translation>
    </message>
    <message>
      <source>The address does not speak HTTP</source>
      <translation>此地址不使用 HTTP</translation>
    </message>
    <message>
      <source>The address must be https</source>
      <translation>地址必须使用 https</translation>
    </message>
    <message>
      <source>The address of a store of files is written https://SERVER/BUCKET.</source>
      <translation>文件存储的地址应写作 https://SERVER/BUCKET。</translation>
    </message>
    <message>
      <source>The address of a team library has no usable port ({0}).</source>
      <translation>团队资料库的地址没有可用的端口（{0}）。</translation>
    </message>
    <message>
      <source>The address of a team library is written https://SERVER:9200/NAME.</source>
      <translation>团队资料库的地址写作 https://SERVER:9200/NAME。</translation>
    </message>
    <message>
      <source>The address of the store has no usable port ({0}).</source>
      <translation>存储的地址没有可用的端口（{0}）。</translation>
    </message>
    <message>
      <source>The answer arrives in one piece: a server or a proxy on the way holds it back.</source>
      <translation>答案一次性到达：途中的服务器或代理把它扣住了。</translation>
    </message>
    <message>
      <source>The answer arrives word by word.</source>
      <translation>答案逐字到达。</translation>
    </message>
    <message>
      <source>The background process ended unexpectedly. Please try again.</source>
      <translation>后台进程意外结束。请重试。</translation>
    </message>
    <message>
      <source>The background process gave an invalid answer to {0}.</source>
      <translation>后台进程对 {0} 给出了无效回应。</translation>
    </message>
    <message>
      <source>The background process gave no answer. Please try again.</source>
      <translation>后台进程没有回应。请重试。</translation>
    </message>
    <message>
      <source>The best of all systems together: finds the right documents, reads them and proves what it says.</source>
      <translation>集所有系统之长：找到正确的文档，阅读并证明所说的内容。</translation>
    </message>
    <message>
      <source>The bookmarks cannot be kept</source>
      <translation>无法保存书签</translation>
    </message>
    <message>
      <source>The bookmarks could not be {0} ({1}).</source>
      <translation>书签无法{0}（{1}）。</translation>
    </message>
    <message>
      <source>The bracket “[” opens a set of letters that is not valid, such as [a-z]; write \[ for the character.</source>
      <translation>方括号“[”开始的字母组无效，正确的例如 [a-z]；要表示该字符请写 \[。</translation>
    </message>
    <message>
      <source>The built-in model knows nothing by itself: it only quotes your documents, which were not searched for this. Ask what they may answer, or choose another method or a language model.</source>
      <translation>内置模型本身没有任何知识：它只引用您的文档，而此次并未搜索文档。请提出文档可能回答的问题，或选择其他方式或语言模型。</translation>
    </message>
    <message>
      <source>The catalog in {0} is missing. `desktop-rag index`, or opening the window, reads your folders again.</source>
      <translation>{0} 中缺少目录。运行 `desktop-rag index` 或打开窗口会重新读取您的文件夹。</translation>
    </message>
    <message>
      <source>The catalog is missing.</source>
      <translation>目录缺失。</translation>
    </message>
    <message>
      <source>The catalog is that of another library.</source>
      <translation>目录属于另一个资料库。</translation>
    </message>
    <message>
      <source>The catalog was empty.</source>
      <translation>目录是空的。</translation>
    </message>
    <message>
      <source>The cells of the sheet {0} are too far apart; it was left out.</source>
      <translation>工作表 {0} 的单元格相距过远；已略去。</translation>
    </message>
    <message>
      <source>The certificate is not trusted</source>
      <translation>证书不受信任</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). If your network or server has its own authority, choose its CA file in the settings of the model.</source>
      <translation>{0} 的证书不受信任（{1}）。如果您的网络或服务器有自己的证书颁发机构，请在模型设置中选择其 CA 文件。</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). It has to be renewed there, unless the date of this computer is wrong.</source>
      <translation>{0} 的证书不受信任（{1}）。如果本机日期无误，则需要在服务器上更新证书。</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). It was made for another name: use that in the address.</source>
      <translation>{0} 的证书不受信任（{1}）。证书是为另一个名称签发的：请在地址中使用该名称。</translation>
    </message>
    <message>
      <source>The certificate {0} cannot be used ({1}). Choose a PEM file that holds the certificate and its key, and give the password of the key if it has one.</source>
      <translation>无法使用证书 {0}（{1}）。请选择一个包含证书及其密钥的 PEM 文件；如果密钥有密码，请提供密码。</translation>
    </message>
    <message>
      <source>The character encoding of this file is not recognised; save it as UTF-8.</source>
      <translation>无法识别此文件的字符编码；请另存为 UTF-8。</translation>
    </message>
    <message>
      <source>The check for updates failed</source>
      <translation>检查更新失败</translation>
    </message>
    <message>
      <source>The client certificate {0} cannot be used ({1}). Choose a PEM file that holds the certificate and its key without a password.</source>
      <translation>客户端证书 {0} 无法使用（{1}）。请选择包含证书及其无密码密钥的 PEM 文件。</translation>
    </message>
    <message>
      <source>The closest passage is in another language, and may not answer the question:</source>
      <translation>最接近的段落使用另一种语言，可能并未回答该问题：</translation>
    </message>
    <message>
      <source>The closest passage, which may not answer the question:</source>
      <translation>最接近的段落，可能并未回答该问题：</translation>
    </message>
    <message>
      <source>The closest passages, which may not answer the question:</source>
      <translation>最接近的几个段落，可能并未回答该问题：</translation>
    </message>
    <message>
      <source>The condition {0} does not hold.</source>
      <translation>条件 {0} 不成立。</translation>
    </message>
    <message>
      <source>The condition {0} holds.</source>
      <translation>条件 {0} 成立。</translation>
    </message>
    <message>
      <source>The condition “{0}” has no value: leave it out, or give one.</source>
      <translation>条件“{0}”没有值：请省略它，或给出一个值。</translation>
    </message>
    <message>
      <source>The connection was cut</source>
      <translation>连接中断</translation>
    </message>
    <message>
      <source>The conversation does not fit the model</source>
      <translation>对话超出模型容量</translation>
    </message>
    <message>
      <source>The conversations cannot be kept</source>
      <translation>无法保存对话</translation>
    </message>
    <message>
      <source>The conversations could not be {0} ({1}).</source>
      <translation>对话无法{0}（{1}）。</translation>
    </message>
    <message>
      <source>The data file of Outlook 2013 or later is not read; export its folders as a .pst file.</source>
      <translation>不读取 Outlook 2013 或更高版本的数据文件；请将其文件夹导出为 .pst 文件。</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; indexing continues by itself.</source>
      <translation>磁盘已满。请腾出空间；索引会自动继续。</translation>
    </message>
    <message>
      <source>The disk is full. What was found so far is kept; free some space, then go on.</source>
      <translation>磁盘已满。目前找到的内容会保留；请先腾出空间，然后继续。</translation>
    </message>
    <message>
      <source>The disk reported an error on {0} ({1}).</source>
      <translation>磁盘报告 {0} 出错（{1}）。</translation>
    </message>
    <message>
      <source>The documents of a team library are on its server, which reads them. Add folders to a library on this computer.</source>
      <translation>团队资料库的文档位于其服务器上，由服务器读取。请将文件夹添加到本机上的资料库。</translation>
    </message>
    <message>
      <source>The drive of “{0}” is not connected now; its text stays searchable.</source>
      <translation>“{0}”所在的驱动器当前未连接；其文字仍可搜索。</translation>
    </message>
    <message>
      <source>The encoder cannot be written to {0}: {1}.</source>
      <translation>无法将编码器写入 {0}：{1}。</translation>
    </message>
    <message>
      <source>The encoder does not know this language, so only words are searched for.</source>
      <translation>编码器不认识这种语言，因此只按词语搜索。</translation>
    </message>
    <message>
      <source>The encoder was not added.</source>
      <translation>未添加该编码器。</translation>
    </message>
    <message>
      <source>The end of this file is damaged and was left out.</source>
      <translation>此文件的末尾已损坏，已略去。</translation>
    </message>
    <message>
      <source>The file cannot be kept in {0} ({1}).</source>
      <translation>文件无法保存在 {0} 中（{1}）。</translation>
    </message>
    <message>
      <source>The file of this link has characters that cannot be shown.</source>
      <translation>此链接的文件含有无法显示的字符。</translation>
    </message>
    <message>
      <source>The file of this link has no full path.</source>
      <translation>此链接的文件没有完整路径。</translation>
    </message>
    <message>
      <source>The folder of “{0}”, {1}, does not exist. Connect its disk, or name another library.</source>
      <translation>“{0}”的文件夹 {1} 不存在。请连接其磁盘，或指定其他资料库。</translation>
    </message>
    <message>
      <source>The fonts of this file do not tell which letters they draw; convert it to PDF for text recognition.</source>
      <translation>此文件的字体未说明其绘制的是哪些字母；请转换为 PDF 以进行文字识别。</translation>
    </message>
    <message>
      <source>The indexer does not answer. Please try again.</source>
      <translation>索引程序没有响应。请重试。</translation>
    </message>
    <message>
      <source>The instructions {0} are missing from this installation ({1}).</source>
      <translation>此安装中缺少指令 {0}（{1}）。</translation>
    </message>
    <message>
      <source>The key cannot be used</source>
      <translation>密钥无法使用</translation>
    </message>
    <message>
      <source>The key may not use this model</source>
      <translation>该密钥无权使用此模型</translation>
    </message>
    <message>
      <source>The key of “{0}” could not be {1} ({2}). Unlock the keychain and try again.</source>
      <translation>“{0}”的密钥无法{1}（{2}）。请解锁钥匙串后重试。</translation>
    </message>
    <message>
      <source>The key was refused</source>
      <translation>密钥被拒绝</translation>
    </message>
    <message>
      <source>The keychain did not answer</source>
      <translation>钥匙串没有回应</translation>
    </message>
    <message>
      <source>The keychain has no password or token for the team's library. Enter it: “Edit team library…” in the menu of libraries, or `desktop-rag libraries --team NAME --edit`.</source>
      <translation>钥匙串中没有该团队资料库的密码或令牌。请输入：资料库菜单中的“编辑团队资料库…”，或 `desktop-rag libraries --team NAME --edit`。</translation>
    </message>
    <message>
      <source>The keychain took the key of “{0}” but does not give it back. Unlock it, or check its settings, and enter the key again.</source>
      <translation>钥匙串接受了“{0}”的密钥但无法取回。请解锁或检查其设置，然后重新输入密钥。</translation>
    </message>
    <message>
      <source>The keyword index cannot be read ({0}).</source>
      <translation>无法读取词语索引（{0}）。</translation>
    </message>
    <message>
      <source>The keyword index could not be {0} ({1}: {2}); it will be rebuilt.</source>
      <translation>词语索引无法{0}（{1}：{2}）；将重建。</translation>
    </message>
    <message>
      <source>The keyword index is damaged (a file is missing); it will be rebuilt.</source>
      <translation>词语索引已损坏（缺少文件）；将重建。</translation>
    </message>
    <message>
      <source>The keyword index is damaged ({0}); it will be rebuilt.</source>
      <translation>词语索引已损坏（{0}）；将重建。</translation>
    </message>
    <message>
      <source>The keyword index is damaged; it will be rebuilt.</source>
      <translation>词语索引已损坏；将重建。</translation>
    </message>
    <message>
      <source>The keyword index was written by another version of this program; it will be rebuilt.</source>
      <translation>词语索引由本程序的其他版本写成；将重建。</translation>
    </message>
    <message>
      <source>The library at {0} has format {1}; this version of Desktop RAG reads format {2}. Ask whoever runs it to update Desktop RAG where it is written.</source>
      <translation>{0} 的资料库格式为 {1}；此版本的 Desktop RAG 读取格式 {2}。请让管理者更新写入资料库的 Desktop RAG。</translation>
    </message>
    <message>
      <source>The library at {0} has format {1}; this version of Desktop RAG reads format {2}. Update Desktop RAG on this computer.</source>
      <translation>{0} 的资料库格式为 {1}；此版本的 Desktop RAG 读取格式 {2}。请更新这台电脑上的 Desktop RAG。</translation>
    </message>
    <message>
      <source>The library at {0} is written by a newer version of Desktop RAG. Update this one.</source>
      <translation>{0} 处的资料库由较新版本的 Desktop RAG 写入。请更新本程序。</translation>
    </message>
    <message>
      <source>The library cannot be opened: {0}.</source>
      <translation>无法打开资料库：{0}。</translation>
    </message>
    <message>
      <source>The library cannot be used</source>
      <translation>无法使用资料库</translation>
    </message>
    <message>
      <source>The library has no document {0}.</source>
      <translation>资料库中没有文档 {0}。</translation>
    </message>
    <message>
      <source>The library in {0} cannot be opened: {1}</source>
      <translation>无法打开 {0} 中的资料库：{1}</translation>
    </message>
    <message>
      <source>The library in {0} cannot be written ({1}). Check its permissions and its disk, or choose another folder for it.</source>
      <translation>无法写入 {0} 中的资料库（{1}）。请检查其权限和磁盘，或另选文件夹。</translation>
    </message>
    <message>
      <source>The library in {0} is in use by a program that does not answer. Close other windows of this program, or restart the computer.</source>
      <translation>{0} 中的资料库正被没有回应的程序使用。请关闭本程序的其他窗口，或重启电脑。</translation>
    </message>
    <message>
      <source>The library in {0} was deleted.</source>
      <translation>{0} 中的资料库已被删除。</translation>
    </message>
    <message>
      <source>The library is damaged</source>
      <translation>资料库已损坏</translation>
    </message>
    <message>
      <source>The library is in use</source>
      <translation>资料库正在使用</translation>
    </message>
    <message>
      <source>The library is missing</source>
      <translation>资料库不存在</translation>
    </message>
    <message>
      <source>The library is open in another window or command. Close it, then repair the library again.</source>
      <translation>资料库在另一个窗口或命令中打开。请关闭它，然后再修复资料库。</translation>
    </message>
    <message>
      <source>The library is still being indexed; search by meaning covers {0} of it so far.</source>
      <translation>资料库仍在建立索引；按含义搜索目前覆盖其中 {0}。</translation>
    </message>
    <message>
      <source>The library needs a name.</source>
      <translation>资料库需要名称。</translation>
    </message>
    <message>
      <source>The library was of an older version of this program.</source>
      <translation>该资料库来自本程序的较早版本。</translation>
    </message>
    <message>
      <source>The limit must be from 1 to {0}.</source>
      <translation>限值必须在 1 到 {0} 之间。</translation>
    </message>
    <message>
      <source>The limit of {0} seconds is reached.</source>
      <translation>已达到 {0} 秒的上限。</translation>
    </message>
    <message>
      <source>The limit of {0} steps is reached.</source>
      <translation>已达到 {0} 步的上限。</translation>
    </message>
    <message>
      <source>The limit of {0} tokens is reached.</source>
      <translation>已达到 {0} 个词元的上限。</translation>
    </message>
    <message>
      <source>The limit of {0} tool calls is reached.</source>
      <translation>已达到 {0} 次工具调用的上限。</translation>
    </message>
    <message>
      <source>The line of this link is not a number.</source>
      <translation>此链接的行号不是数字。</translation>
    </message>
    <message>
      <source>The list of libraries in {0} cannot be changed ({1}).</source>
      <translation>无法更改 {0} 中的资料库列表（{1}）。</translation>
    </message>
    <message>
      <source>The model accepts tools but does not call them</source>
      <translation>模型接受工具但不调用</translation>
    </message>
    <message>
      <source>The model answered, but not with a value and a quotation.</source>
      <translation>模型回答了，但没有给出值和引文。</translation>
    </message>
    <message>
      <source>The model asks for a key</source>
      <translation>模型要求提供密钥</translation>
    </message>
    <message>
      <source>The model asks for another certificate</source>
      <translation>模型要求其他证书</translation>
    </message>
    <message>
      <source>The model at {0} does not know what stood at the beginning of about {1} tokens: the server seems to drop it without a word. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or lower its context window in the settings.</source>
      <translation>{0} 上的模型不知道所发送的约 {1} 个词元的开头内容：服务器似乎悄悄丢弃了它。请在那里为模型设置更大的上下文（Ollama：OLLAMA_CONTEXT_LENGTH），或在设置中减小它的上下文窗口。</translation>
    </message>
    <message>
      <source>The model calls a tool and goes on with its result.</source>
      <translation>模型会调用工具，并使用其结果继续。</translation>
    </message>
    <message>
      <source>The model calls a tool but says nothing about its result.</source>
      <translation>模型会调用工具，但对其结果只字不提。</translation>
    </message>
    <message>
      <source>The model calls tools wrongly</source>
      <translation>模型错误地调用工具</translation>
    </message>
    <message>
      <source>The model cannot be reached</source>
      <translation>无法连接模型</translation>
    </message>
    <message>
      <source>The model closed the connection</source>
      <translation>模型关闭了连接</translation>
    </message>
    <message>
      <source>The model compresses its answer in a way it was not asked for. Check its proxy.</source>
      <translation>模型以未被要求的方式压缩了答案。请检查其代理。</translation>
    </message>
    <message>
      <source>The model cut off the beginning</source>
      <translation>模型截掉了开头</translation>
    </message>
    <message>
      <source>The model did not accept the request</source>
      <translation>模型未接受请求</translation>
    </message>
    <message>
      <source>The model did not answer</source>
      <translation>模型没有回答</translation>
    </message>
    <message>
      <source>The model does not answer in the form of a cell</source>
      <translation>模型没有按单元格的形式回答</translation>
    </message>
    <message>
      <source>The model does not fit into the server's memory</source>
      <translation>模型超出服务器的内存</translation>
    </message>
    <message>
      <source>The model ended its answer without a message. Ask again.</source>
      <translation>模型结束了回答但没有消息。请再问一次。</translation>
    </message>
    <message>
      <source>The model has another address</source>
      <translation>模型的地址已变更</translation>
    </message>
    <message>
      <source>The model is being loaded</source>
      <translation>正在加载模型</translation>
    </message>
    <message>
      <source>The model is busy</source>
      <translation>模型繁忙</translation>
    </message>
    <message>
      <source>The model is overloaded</source>
      <translation>模型过载</translation>
    </message>
    <message>
      <source>The model keeps repeating the same calls.</source>
      <translation>模型一直重复相同的调用。</translation>
    </message>
    <message>
      <source>The model limits your requests</source>
      <translation>模型限制了您的请求</translation>
    </message>
    <message>
      <source>The model makes one call a turn: searches take more turns.</source>
      <translation>模型每轮只调用一次：搜索需要更多轮次。</translation>
    </message>
    <message>
      <source>The model makes several calls in one turn.</source>
      <translation>模型能在一轮中进行多次调用。</translation>
    </message>
    <message>
      <source>The model overlooked a word at the beginning of {0} tokens: long documents ask too much of it.</source>
      <translation>模型漏看了 {0} 个词元开头的一个词：长文档超出其能力。</translation>
    </message>
    <message>
      <source>The model reports a failure</source>
      <translation>模型报告失败</translation>
    </message>
    <message>
      <source>The model sent a damaged compressed answer. Ask again.</source>
      <translation>模型发送了损坏的压缩答案。请再次提问。</translation>
    </message>
    <message>
      <source>The model sent a line or an event without end. The answer ends here.</source>
      <translation>模型发送了没有结尾的行或事件。答案到此为止。</translation>
    </message>
    <message>
      <source>The model sent an empty answer</source>
      <translation>模型返回了空回答</translation>
    </message>
    <message>
      <source>The model sent an empty message.</source>
      <translation>模型发送了空消息。</translation>
    </message>
    <message>
      <source>The model sent more than {0} MB. The answer ends here.</source>
      <translation>模型发送了超过 {0} MB。答案到此为止。</translation>
    </message>
    <message>
      <source>The model took too long</source>
      <translation>模型用时过长</translation>
    </message>
    <message>
      <source>The model used up its output before it wrote a value. Raise its maximum output, or think less.</source>
      <translation>模型在写出值之前就用完了输出。请提高最大输出，或减少思考。</translation>
    </message>
    <message>
      <source>The model wrote no answer to a question of the sample library.</source>
      <translation>模型没有回答示例资料库的问题。</translation>
    </message>
    <message>
      <source>The model wrote no text when asked to count: whether answers arrive word by word was not seen.</source>
      <translation>要求模型计数时，它没有写出文本：无法看出回答是否逐字到达。</translation>
    </message>
    <message>
      <source>The model's answer broke off. Try again.</source>
      <translation>模型的答案中断了。请重试。</translation>
    </message>
    <message>
      <source>The model's context of {0} tokens is full.</source>
      <translation>模型 {0} 个词元的上下文已满。</translation>
    </message>
    <message>
      <source>The model's output reached its limit; the answer may be incomplete.</source>
      <translation>模型的输出已达上限；答案可能不完整。</translation>
    </message>
    <message>
      <source>The model's process ended twice while it read the question, most likely because the memory did not suffice. Choose a smaller context window, or a smaller model.</source>
      <translation>模型进程在读取问题时两次结束，很可能是内存不足。请选择更小的上下文窗口或更小的模型。</translation>
    </message>
    <message>
      <source>The model's process ended unexpectedly, most likely because the memory did not suffice. Close other programs, choose a smaller context window, or a smaller model.</source>
      <translation>模型进程意外结束，很可能是内存不足。请关闭其他程序，或选择更小的上下文窗口或更小的模型。</translation>
    </message>
    <message>
      <source>The name of a library has no slashes and does not begin with a dot.</source>
      <translation>资料库名称不能含斜杠，也不能以点开头。</translation>
    </message>
    <message>
      <source>The name {0} cannot be found. Check the address and your network.</source>
      <translation>找不到名称 {0}。请检查地址和网络。</translation>
    </message>
    <message>
      <source>The network asks you to sign in</source>
      <translation>网络要求您先登录</translation>
    </message>
    <message>
      <source>The network before {0} asks you to sign in ({1}). Open any web page, sign in, and ask again.</source>
      <translation>通往 {0} 的网络要求您先登录（{1}）。请打开任意网页登录，然后再问一次。</translation>
    </message>
    <message>
      <source>The next request may cost {0}; {1} is left of your limit.</source>
      <translation>下一次请求可能花费 {0}；您的限额还剩 {1}。</translation>
    </message>
    <message>
      <source>The outline has no section: write one a line, as “Heading: question”.</source>
      <translation>大纲没有章节：请每行写一个，格式为“标题: 问题”。</translation>
    </message>
    <message>
      <source>The package of the protocol is not in this build. The released installers have it.</source>
      <translation>此程序构建中没有该协议的软件包。已发布的安装程序包含它。</translation>
    </message>
    <message>
      <source>The package of the protocol is not installed. Install it: {0}</source>
      <translation>未安装该协议的软件包。请安装：{0}</translation>
    </message>
    <message>
      <source>The painter received an unknown request.</source>
      <translation>页面绘制程序收到未知请求。</translation>
    </message>
    <message>
      <source>The password or token is missing.</source>
      <translation>缺少密码或令牌。</translation>
    </message>
    <message>
      <source>The path of this {0} is longer than this system opens.</source>
      <translation>此{0}的路径超过本系统可打开的长度。</translation>
    </message>
    <message>
      <source>The process of the model could not be started ({0}).</source>
      <translation>无法启动模型的进程（{0}）。</translation>
    </message>
    <message>
      <source>The process that reads this file sent an invalid reply.</source>
      <translation>读取此文件的进程发送了无效回应。</translation>
    </message>
    <message>
      <source>The program is closing.</source>
      <translation>程序正在关闭。</translation>
    </message>
    <message>
      <source>The program is set to work offline: it connects to nothing but this computer. See Settings, Privacy.</source>
      <translation>程序已设为离线工作：只连接这台电脑。见设置，隐私。</translation>
    </message>
    <message>
      <source>The proxy before {0} asks for a user and a password ({1}). Add them to its address.</source>
      <translation>{0} 前面的代理要求用户名和密码（{1}）。请将其加入代理地址。</translation>
    </message>
    <message>
      <source>The proxy before {0} does not accept the user and password in its address ({1}). Correct them there.</source>
      <translation>{0} 前面的代理不接受其地址中的用户名和密码（{1}）。请在地址中更正。</translation>
    </message>
    <message>
      <source>The proxy cannot be reached</source>
      <translation>无法连接代理</translation>
    </message>
    <message>
      <source>The proxy cannot be used</source>
      <translation>代理无法使用</translation>
    </message>
    <message>
      <source>The proxy cannot be used ({0}). Check the proxy of this model, or of the system.</source>
      <translation>代理无法使用（{0}）。请检查此模型或系统的代理。</translation>
    </message>
    <message>
      <source>The proxy refused the connection</source>
      <translation>代理拒绝了连接</translation>
    </message>
    <message>
      <source>The proxy {0} cannot be reached ({1}). {2}</source>
      <translation>无法连接代理 {0}（{1}）。{2}</translation>
    </message>
    <message>
      <source>The proxy {0} did not connect to {1} ({2}). {3}</source>
      <translation>代理 {0} 未能连接到 {1}（{2}）。{3}</translation>
    </message>
    <message>
      <source>The proxy {0} did not connect to {1} within {2}. Check the proxy of this model, or of the system.</source>
      <translation>代理 {0} 在{2}内没有连接到 {1}。请检查此模型或系统的代理。</translation>
    </message>
    <message>
      <source>The query was interrupted.</source>
      <translation>搜索被中断。</translation>
    </message>
    <message>
      <source>The question is empty.</source>
      <translation>问题为空。</translation>
    </message>
    <message>
      <source>The recorded run ends here, and there is no model to continue it.</source>
      <translation>记录的运行到此结束，没有模型可继续。</translation>
    </message>
    <message>
      <source>The request cannot be decoded.</source>
      <translation>无法解读请求。</translation>
    </message>
    <message>
      <source>The request has {0} tokens, more than the {1} of the context window.</source>
      <translation>请求有 {0} 个 token，超过上下文窗口的 {1}。</translation>
    </message>
    <message>
      <source>The request is longer than “{0}” at {1} can take ({2}). Lower its context limit in the settings, or load the model with a larger context.</source>
      <translation>请求超过“{0}”（{1}）可接受的长度（{2}）。请在设置中降低它的上下文限制，或以更大的上下文加载模型。</translation>
    </message>
    <message>
      <source>The request to {0} failed ({1}: {2}).</source>
      <translation>对 {0} 的请求失败（{1}：{2}）。</translation>
    </message>
    <message>
      <source>The request was stopped.</source>
      <translation>请求已停止。</translation>
    </message>
    <message>
      <source>The request {0} has wrong arguments: {1}</source>
      <translation>请求 {0} 的参数错误：{1}</translation>
    </message>
    <message>
      <source>The run ended without an answer.</source>
      <translation>运行结束，没有答案。</translation>
    </message>
    <message>
      <source>The safetensors file is damaged or cut short; download it again.</source>
      <translation>safetensors 文件已损坏或不完整；请重新下载。</translation>
    </message>
    <message>
      <source>The second look at this value is wanting; filling the table again asks for it.</source>
      <translation>此值尚未经过二次核对；再次填充表格时会补做。</translation>
    </message>
    <message>
      <source>The second look failed</source>
      <translation>二次核对失败</translation>
    </message>
    <message>
      <source>The sentence encoder is damaged. {0}</source>
      <translation>句子编码器已损坏。{0}</translation>
    </message>
    <message>
      <source>The sentence encoder is damaged: {0} cannot be read ({1}). Add it again, or select another one with “desktop-rag encoder”.</source>
      <translation>句子编码器已损坏：无法读取 {0}（{1}）。请重新添加，或用“desktop-rag encoder”选择另一个。</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; its vectors need new indexes.</source>
      <translation>句子编码器已更新；其向量需要新的索引。</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; search by meaning starts over.</source>
      <translation>句子编码器已更新；语义搜索将重新开始。</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; until its vectors are ready, those of the earlier one answer.</source>
      <translation>句子编码器已更新；在其向量就绪之前，使用先前编码器的向量作答。</translation>
    </message>
    <message>
      <source>The server does not tell it; the settings say {0} tokens.</source>
      <translation>服务器未告知；设置中写的是 {0} 个词元。</translation>
    </message>
    <message>
      <source>The server has {0} tokens, the settings say {1}: set them to {2}.</source>
      <translation>服务器为 {0} 个词元，设置中写的是 {1}：请改为 {2}。</translation>
    </message>
    <message>
      <source>The server refused a search: {0}</source>
      <translation>服务器拒绝了一次搜索：{0}</translation>
    </message>
    <message>
      <source>The server refuses tools for this model</source>
      <translation>服务器拒绝此模型使用工具</translation>
    </message>
    <message>
      <source>The server reports no tokens; they are estimated (marked with ~).</source>
      <translation>服务器不报告词元数；词元数为估计值（以 ~ 标记）。</translation>
    </message>
    <message>
      <source>The server reports the tokens of each request.</source>
      <translation>服务器报告每个请求的词元数。</translation>
    </message>
    <message>
      <source>The settings say {0}: lower it, or the beginning may be cut off silently.</source>
      <translation>设置中写的是 {0}：请调低，否则开头可能被悄悄截断。</translation>
    </message>
    <message>
      <source>The sheet {0} cannot be read; it was left out.</source>
      <translation>无法读取工作表 {0}；已略去。</translation>
    </message>
    <message>
      <source>The sheet {0} is damaged; only a part of it was read.</source>
      <translation>工作表 {0} 已损坏；只读取了一部分。</translation>
    </message>
    <message>
      <source>The store holds other bytes than those that were indexed. Ask whoever runs it.</source>
      <translation>存储中的字节与已编入索引的不同。请询问其管理者。</translation>
    </message>
    <message>
      <source>The store of files {0} does not answer ({1}).</source>
      <translation>文件存储 {0} 没有回应（{1}）。</translation>
    </message>
    <message>
      <source>The store of files {0} refuses this user ({1}).</source>
      <translation>文件存储 {0} 拒绝了此用户（{1}）。</translation>
    </message>
    <message>
      <source>The store sent more than a file of the library has. Ask whoever runs it.</source>
      <translation>存储发送的内容超过了资料库中一个文件的大小。请询问其管理者。</translation>
    </message>
    <message>
      <source>The system could not read this file: {0}.</source>
      <translation>系统无法读取此文件：{0}。</translation>
    </message>
    <message>
      <source>The system does not report changes here ({0})</source>
      <translation>系统在此不报告更改（{0}）</translation>
    </message>
    <message>
      <source>The system ran out of memory and ended the indexer. Close other programs, then it goes on where it was.</source>
      <translation>系统内存不足，已结束索引程序。请关闭其他程序，它会从中断处继续。</translation>
    </message>
    <message>
      <source>The system reported an error: {0}</source>
      <translation>系统报告错误：{0}</translation>
    </message>
    <message>
      <source>The table cannot be locked ({0}).</source>
      <translation>无法锁定此表格（{0}）。</translation>
    </message>
    <message>
      <source>The tables and reports could not be used ({0}).</source>
      <translation>无法使用表格和报告（{0}）。</translation>
    </message>
    <message>
      <source>The tables cannot be kept</source>
      <translation>无法保存表格</translation>
    </message>
    <message>
      <source>The team's library cannot be reached</source>
      <translation>无法连接团队资料库</translation>
    </message>
    <message>
      <source>The team's library holds a document that cannot be read. Ask whoever runs it.</source>
      <translation>团队资料库中有一个无法读取的文档。请联系其管理员。</translation>
    </message>
    <message>
      <source>The team's library refuses this user</source>
      <translation>团队资料库拒绝此用户</translation>
    </message>
    <message>
      <source>The team's library was last brought up to date at {0}; newer changes may be missing.</source>
      <translation>团队资料库上次更新于 {0}；之后的更改可能尚未包含在内。</translation>
    </message>
    <message>
      <source>The team's server answered a search in an unknown way ({0}).</source>
      <translation>团队服务器以未知的方式答复了一次搜索（{0}）。</translation>
    </message>
    <message>
      <source>The team's server does not accept this user. Check the password, token or certificate.</source>
      <translation>团队服务器不接受此用户。请检查密码、令牌或证书。</translation>
    </message>
    <message>
      <source>The team's server is overloaded or starting ({0}). Try again in a moment.</source>
      <translation>团队服务器过载或正在启动（{0}）。请稍后再试。</translation>
    </message>
    <message>
      <source>The team's server is overloaded; the rest is sent later.</source>
      <translation>团队服务器过载；其余内容将稍后发送。</translation>
    </message>
    <message>
      <source>The team's server refused a request ({0}: {1}).</source>
      <translation>团队服务器拒绝了请求（{0}：{1}）。</translation>
    </message>
    <message>
      <source>The team's server sent more than any answer has. Ask whoever runs it.</source>
      <translation>团队服务器发送的内容超出了任何应答应有的大小。请询问其运营者。</translation>
    </message>
    <message>
      <source>The team's server {0} does not answer ({1}). Check the network, or ask whoever runs it.</source>
      <translation>团队的服务器 {0} 没有响应（{1}）。请检查网络，或询问其管理者。</translation>
    </message>
    <message>
      <source>The team's servers {0} do not answer (the last: {1}). Check the network, or ask whoever runs them.</source>
      <translation>团队的服务器 {0} 没有响应（最后一台：{1}）。请检查网络，或询问其管理者。</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised ({0}).</source>
      <translation>无法识别此页的文字（{0}）。</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised.</source>
      <translation>无法识别此页的文字。</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised: it {0}.</source>
      <translation>无法识别此页的文字：{0}。</translation>
    </message>
    <message>
      <source>The text of {0} of this book is damaged and was left out.</source>
      <translation>本书 {0} 的文字已损坏，已略去。</translation>
    </message>
    <message>
      <source>The user and the password are not part of the address: give them apart from it.</source>
      <translation>用户和密码不属于地址的一部分：请单独填写。</translation>
    </message>
    <message>
      <source>The vectors of {0} are not numbers; its files are damaged.</source>
      <translation>{0} 的向量不是数字；它的文件已损坏。</translation>
    </message>
    <message>
      <source>The weights of {0} are not those of its configuration; download it again.</source>
      <translation>{0} 的权重与其配置不符；请重新下载。</translation>
    </message>
    <message>
      <source>The words of this link have characters that cannot be shown.</source>
      <translation>此链接的文字含有无法显示的字符。</translation>
    </message>
    <message>
      <source>There are more folders than this system watches at once</source>
      <translation>文件夹数量超出了系统可同时监视的上限</translation>
    </message>
    <message>
      <source>There are too many brackets inside each other.</source>
      <translation>括号嵌套过多。</translation>
    </message>
    <message>
      <source>There is a library called “{0}” already.</source>
      <translation>已有名为“{0}”的资料库。</translation>
    </message>
    <message>
      <source>There is a library in {0} already. Open it instead.</source>
      <translation>{0} 中已有资料库。请改为打开它。</translation>
    </message>
    <message>
      <source>There is an encoder “{0}” already. Remove it first, or add this one under another --name.</source>
      <translation>已有编码器“{0}”。请先删除它，或用另一个 --name 添加。</translation>
    </message>
    <message>
      <source>There is no condition “{0}”. Choose one of: {1}.</source>
      <translation>没有条件“{0}”。请选择其中之一：{1}。</translation>
    </message>
    <message>
      <source>There is no encoder “{0}” here. There are {1}; “desktop-rag encoder add” adds others.</source>
      <translation>这里没有编码器“{0}”。现有 {1}；“desktop-rag encoder add”可添加其他编码器。</translation>
    </message>
    <message>
      <source>There is no field “{0}:”. Did you mean “{1}:”?</source>
      <translation>没有字段“{0}:”。您是不是指“{1}:”？</translation>
    </message>
    <message>
      <source>There is no field “{0}:”. The fields are {1}.</source>
      <translation>没有字段“{0}:”。可用字段有 {1}。</translation>
    </message>
    <message>
      <source>There is no keyword index yet.</source>
      <translation>还没有词语索引。</translation>
    </message>
    <message>
      <source>There is no library called “{0}”.</source>
      <translation>没有名为“{0}”的资料库。</translation>
    </message>
    <message>
      <source>There is no library called “{0}”. There are: {1}. A folder is written like .{2}{3}</source>
      <translation>没有名为“{0}”的资料库。已有：{1}。文件夹写作 .{2}{3}</translation>
    </message>
    <message>
      <source>There is no library in {0} yet. Make one: desktop-rag index FOLDER</source>
      <translation>{0} 中还没有资料库。请创建：desktop-rag index FOLDER</translation>
    </message>
    <message>
      <source>There is no library in {0}.</source>
      <translation>{0} 中没有资料库。</translation>
    </message>
    <message>
      <source>There is no model called “{0}”. Known are: {1}.</source>
      <translation>没有名为“{0}”的模型。已知的有：{1}。</translation>
    </message>
    <message>
      <source>There is no program “{0}” here. Known are: {1}.</source>
      <translation>这里没有程序“{0}”。已知的有：{1}。</translation>
    </message>
    <message>
      <source>There is no request {0}.</source>
      <translation>没有请求 {0}。</translation>
    </message>
    <message>
      <source>There is no secure connection to the team's server {0} ({1}). If it has no TLS, its address begins with http://; if the system does not know the authority of its certificate, name that: its file in “Add team library…”, or `--ca-file FILE` on the command line.</source>
      <translation>无法与团队服务器 {0} 建立安全连接（{1}）。如果它没有 TLS，其地址以 http:// 开头；如果系统不认识其证书的颁发机构，请指定该机构：在“添加团队资料库…”中选择其文件，或在命令行使用 `--ca-file FILE`。</translation>
    </message>
    <message>
      <source>There is no such model</source>
      <translation>没有这个模型</translation>
    </message>
    <message>
      <source>There is no such team library</source>
      <translation>没有这个团队资料库</translation>
    </message>
    <message>
      <source>There is no such team library on the server. Check the name at the end of its address.</source>
      <translation>服务器上没有这个团队资料库。请检查其地址末尾的名称。</translation>
    </message>
    <message>
      <source>There is no toolkit “{0}”. Choose one of: {1}. `desktop-rag ask --toolkit help` describes each.</source>
      <translation>没有工具包“{0}”。请选择：{1}。`desktop-rag ask --toolkit help` 说明每一个。</translation>
    </message>
    <message>
      <source>There is no {0} {1}. Nothing was changed.</source>
      <translation>没有{0} {1}。没有任何改动。</translation>
    </message>
    <message>
      <source>There is no {0} “{1}”. Choose one of: {2}.</source>
      <translation>没有 {0}“{1}”。请选择其中之一：{2}。</translation>
    </message>
    <message>
      <source>There is not enough memory</source>
      <translation>内存不足</translation>
    </message>
    <message>
      <source>There is not enough memory for the sentence encoder now. Close other programs.</source>
      <translation>现在内存不足，无法使用句子编码器。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory for this now. Close other programs.</source>
      <translation>现在没有足够的内存来完成此操作。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory to check the library. Close other programs.</source>
      <translation>内存不足，无法检查资料库。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory to open the library now. Close other programs.</source>
      <translation>现在没有足够的内存来打开资料库。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory to read files now. Close other programs.</source>
      <translation>目前内存不足，无法读取文件。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory to use {0}. Close other programs.</source>
      <translation>内存不足，无法使用 {0}。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is not enough memory: the keyword index could not be {0}. Close other programs.</source>
      <translation>内存不足：无法使用关键词索引（{0}）。请关闭其他程序。</translation>
    </message>
    <message>
      <source>There is too little space in {0}: {1} MB are needed.</source>
      <translation>{0} 中空间不足：需要 {1} MB。</translation>
    </message>
    <message>
      <source>These are {0} columns; a table has at most {1}.</source>
      <translation>共有 {0} 列；一个表格最多 {1} 列。</translation>
    </message>
    <message>
      <source>These are {0} documents; a table has at most {1}. Choose a folder, a type or a time.</source>
      <translation>共有 {0} 个文档；一个表格最多 {1} 个。请选择文件夹、类型或时间。</translation>
    </message>
    <message>
      <source>These are {0} sections; a report has at most {1}.</source>
      <translation>共有 {0} 个章节；一份报告最多 {1} 个。</translation>
    </message>
    <message>
      <source>These settings cannot be used</source>
      <translation>无法使用这些设置</translation>
    </message>
    <message>
      <source>These settings of a team's library cannot be used</source>
      <translation>无法使用团队资料库的这些设置</translation>
    </message>
    <message>
      <source>They were written by a newer version of this program. Please update.</source>
      <translation>它们由本程序的更新版本写成。请更新。</translation>
    </message>
    <message>
      <source>This .{0} file has no pages.</source>
      <translation>此 .{0} 文件没有页面。</translation>
    </message>
    <message>
      <source>This .{0} file is damaged or has the wrong suffix.</source>
      <translation>此 .{0} 文件已损坏或后缀错误。</translation>
    </message>
    <message>
      <source>This Outlook data file has high encryption; export its folders to a new file without.</source>
      <translation>此 Outlook 数据文件使用了高强度加密；请将其文件夹导出到未加密的新文件。</translation>
    </message>
    <message>
      <source>This PDF is damaged and cannot be opened.</source>
      <translation>此 PDF 已损坏，无法打开。</translation>
    </message>
    <message>
      <source>This PDF is damaged: none of its pages can be found.</source>
      <translation>此 PDF 已损坏：找不到任何页面。</translation>
    </message>
    <message>
      <source>This PDF is damaged: none of its pages can be read.</source>
      <translation>此 PDF 已损坏：没有一页可以读取。</translation>
    </message>
    <message>
      <source>This PDF is damaged: nothing can be read on its {0}.</source>
      <translation>此 PDF 已损坏：其 {0} 中没有可读内容。</translation>
    </message>
    <message>
      <source>This PDF is empty: nothing is drawn on its {0}.</source>
      <translation>此 PDF 为空：其 {0} 上没有任何内容。</translation>
    </message>
    <message>
      <source>This PDF is protected by a password; save a copy without one to have it read.</source>
      <translation>此 PDF 受密码保护；保存一份无密码的副本即可读取。</translation>
    </message>
    <message>
      <source>This archive has more than {0} files; the rest was left out.</source>
      <translation>此压缩包中的文件超过 {0} 个；其余已略去。</translation>
    </message>
    <message>
      <source>This archive is damaged or not a 7z archive.</source>
      <translation>此压缩包已损坏或不是 7z 压缩包。</translation>
    </message>
    <message>
      <source>This archive is damaged or not a ZIP archive.</source>
      <translation>此压缩包已损坏或不是 ZIP 压缩包。</translation>
    </message>
    <message>
      <source>This archive is damaged or of an unsupported kind.</source>
      <translation>此压缩包已损坏或类型不受支持。</translation>
    </message>
    <message>
      <source>This archive is damaged or protected by a password.</source>
      <translation>此压缩包已损坏或受密码保护。</translation>
    </message>
    <message>
      <source>This archive is damaged or protected by a password; only its first part was read.</source>
      <translation>此压缩包已损坏或受密码保护；只读取了开头部分。</translation>
    </message>
    <message>
      <source>This archive is damaged; only the files that could be recovered were read.</source>
      <translation>此压缩包已损坏；只读取了能恢复的文件。</translation>
    </message>
    <message>
      <source>This archive is damaged; only the part before the damage was read.</source>
      <translation>此压缩包已损坏；只读取了损坏处之前的部分。</translation>
    </message>
    <message>
      <source>This archive is empty.</source>
      <translation>此压缩包是空的。</translation>
    </message>
    <message>
      <source>This archive is protected by a password.</source>
      <translation>此压缩包受密码保护。</translation>
    </message>
    <message>
      <source>This archive is split into several files; join them to have it read.</source>
      <translation>此压缩包分成了多个文件；合并后才能读取。</translation>
    </message>
    <message>
      <source>This benchmark cannot be run</source>
      <translation>无法运行此基准测试</translation>
    </message>
    <message>
      <source>This bracket closes nothing.</source>
      <translation>此括号没有对应的开头。</translation>
    </message>
    <message>
      <source>This bracket is never closed.</source>
      <translation>此括号没有关闭。</translation>
    </message>
    <message>
      <source>This call failed inside Desktop RAG. Send it again; if it fails again, please report it with its arguments.</source>
      <translation>此调用在 Desktop RAG 内部失败。请重新发送；如果再次失败，请连同其参数一并报告。</translation>
    </message>
    <message>
      <source>This cannot be done</source>
      <translation>无法执行</translation>
    </message>
    <message>
      <source>This computer offers no keychain that could know the password or token of the team's library. Give it in the environment variable {0}.</source>
      <translation>此电脑没有可保存团队资料库密码或令牌的钥匙串。请在环境变量 {0} 中提供。</translation>
    </message>
    <message>
      <source>This computer offers no keychain, so keys are kept in memory and are forgotten when the program ends. On Linux, a desktop keyring such as GNOME Keyring or KWallet provides one.</source>
      <translation>此电脑没有密钥环，因此密钥只保存在内存中，程序结束后即被忘记。在 Linux 上，GNOME Keyring 或 KWallet 等桌面密钥环可提供此功能。</translation>
    </message>
    <message>
      <source>This computer offers no keychain, so the password of a team library cannot be kept for its searches. Install one, such as GNOME Keyring or KWallet, or start the program with the password in DESKTOP_RAG_TEAM_PASSWORD.</source>
      <translation>此电脑没有钥匙串，因此无法为搜索保存团队资料库的密码。请安装一个钥匙串（如 GNOME Keyring 或 KWallet），或在 DESKTOP_RAG_TEAM_PASSWORD 中提供密码后启动程序。</translation>
    </message>
    <message>
      <source>This document is never sent.</source>
      <translation>此文档从不发送。</translation>
    </message>
    <message>
      <source>This document is no longer in the library.</source>
      <translation>此文档已不在资料库中。</translation>
    </message>
    <message>
      <source>This e-book contains no text, only pictures.</source>
      <translation>这本电子书没有文字，只有图片。</translation>
    </message>
    <message>
      <source>This e-book contains no text.</source>
      <translation>这本电子书没有文字。</translation>
    </message>
    <message>
      <source>This e-book is copy-protected by its shop, and cannot be read here.</source>
      <translation>此电子书受其商店的版权保护，无法在此读取。</translation>
    </message>
    <message>
      <source>This e-book is damaged: its pages cannot be read.</source>
      <translation>此电子书已损坏：无法读取其页面。</translation>
    </message>
    <message>
      <source>This e-book is packed in a way that is not read; convert it to EPUB, as Calibre does.</source>
      <translation>此电子书的压缩方式不受支持；请将其转换为 EPUB，例如用 Calibre。</translation>
    </message>
    <message>
      <source>This e-book is protected against copying (DRM); only the reader it was bought for can open it.</source>
      <translation>此电子书有防复制保护（DRM）；只有购买时指定的阅读器才能打开。</translation>
    </message>
    <message>
      <source>This file cannot be read</source>
      <translation>无法读取此文件</translation>
    </message>
    <message>
      <source>This file cannot be read ({0}).</source>
      <translation>无法读取此文件（{0}）。</translation>
    </message>
    <message>
      <source>This file cannot be read: {0}.</source>
      <translation>无法读取此文件：{0}。</translation>
    </message>
    <message>
      <source>This file changed while it was read; it will be read again.</source>
      <translation>此文件在读取时发生了变化；将重新读取。</translation>
    </message>
    <message>
      <source>This file contains far more text than its size allows.</source>
      <translation>此文件的文字远多于其大小所允许的量。</translation>
    </message>
    <message>
      <source>This file contains more text than can be read; the rest of it was left out.</source>
      <translation>此文件的文字超出可读取的量；其余部分已略去。</translation>
    </message>
    <message>
      <source>This file contains no text.</source>
      <translation>此文件没有文字。</translation>
    </message>
    <message>
      <source>This file crashed the reader</source>
      <translation>此文件使读取程序崩溃</translation>
    </message>
    <message>
      <source>This file declares XML entities, which no workbook does; it was not read.</source>
      <translation>此文件声明了 XML 实体，而工作簿不会如此；未读取。</translation>
    </message>
    <message>
      <source>This file has more than {0} parts; the rest was left out.</source>
      <translation>此文件的部分超过 {0} 个；其余已略去。</translation>
    </message>
    <message>
      <source>This file has no text, only white space.</source>
      <translation>此文件没有文本，只有空白。</translation>
    </message>
    <message>
      <source>This file has {0} MB; files over {1} MB are not read.</source>
      <translation>此文件有 {0} MB；超过 {1} MB 的文件不予读取。</translation>
    </message>
    <message>
      <source>This file holds only a signature, not what was signed.</source>
      <translation>此文件只包含签名，不包含被签名的内容。</translation>
    </message>
    <message>
      <source>This file is a ZIP archive; name it .fb2.zip to have it read.</source>
      <translation>此文件是 ZIP 压缩包；将其命名为 .fb2.zip 即可读取。</translation>
    </message>
    <message>
      <source>This file is damaged and cannot be unpacked.</source>
      <translation>此文件已损坏，无法解压。</translation>
    </message>
    <message>
      <source>This file is damaged or a calendar without entries.</source>
      <translation>此文件已损坏，或是没有条目的日历。</translation>
    </message>
    <message>
      <source>This file is damaged or an address book without contacts.</source>
      <translation>此文件已损坏，或是没有联系人的通讯录。</translation>
    </message>
    <message>
      <source>This file is damaged or not a DjVu book.</source>
      <translation>此文件已损坏或不是 DjVu 图书。</translation>
    </message>
    <message>
      <source>This file is damaged or not a FictionBook.</source>
      <translation>此文件已损坏或不是 FictionBook。</translation>
    </message>
    <message>
      <source>This file is damaged or not a PDF.</source>
      <translation>此文件已损坏或不是 PDF。</translation>
    </message>
    <message>
      <source>This file is damaged or not a PowerPoint file.</source>
      <translation>此文件已损坏或不是 PowerPoint 文件。</translation>
    </message>
    <message>
      <source>This file is damaged or not a Word file.</source>
      <translation>此文件已损坏或不是 Word 文件。</translation>
    </message>
    <message>
      <source>This file is damaged or not a drawing.</source>
      <translation>此文件已损坏或不是绘图。</translation>
    </message>
    <message>
      <source>This file is damaged or not a file of Hangul Word Processor.</source>
      <translation>此文件已损坏或不是 Hangul 文字处理器的文件。</translation>
    </message>
    <message>
      <source>This file is damaged or not a help book.</source>
      <translation>此文件已损坏或不是帮助文档。</translation>
    </message>
    <message>
      <source>This file is damaged or not a mail.</source>
      <translation>此文件已损坏或不是邮件。</translation>
    </message>
    <message>
      <source>This file is damaged or not a notebook.</source>
      <translation>此文件已损坏或不是笔记本。</translation>
    </message>
    <message>
      <source>This file is damaged or not a saved web page.</source>
      <translation>此文件已损坏或不是保存的网页。</translation>
    </message>
    <message>
      <source>This file is damaged or not a signed mail or file.</source>
      <translation>此文件已损坏或不是已签名的邮件或文件。</translation>
    </message>
    <message>
      <source>This file is damaged or not a workbook.</source>
      <translation>此文件已损坏或不是工作簿。</translation>
    </message>
    <message>
      <source>This file is damaged or not an Outlook data file.</source>
      <translation>此文件已损坏或不是 Outlook 数据文件。</translation>
    </message>
    <message>
      <source>This file is damaged or not an Outlook mail.</source>
      <translation>此文件已损坏或不是 Outlook 邮件。</translation>
    </message>
    <message>
      <source>This file is damaged or not in Rich Text Format.</source>
      <translation>此文件已损坏或不是 RTF 格式。</translation>
    </message>
    <message>
      <source>This file is damaged or not {0}.</source>
      <translation>此文件已损坏，或不是 {0}。</translation>
    </message>
    <message>
      <source>This file is damaged or of an unsupported kind.</source>
      <translation>此文件已损坏或属于不支持的类型。</translation>
    </message>
    <message>
      <source>This file is damaged, or not what its name says.</source>
      <translation>此文件已损坏，或与其名称所示的类型不符。</translation>
    </message>
    <message>
      <source>This file is damaged; only a part of it was read.</source>
      <translation>此文件已损坏；只读取了一部分。</translation>
    </message>
    <message>
      <source>This file is empty.</source>
      <translation>此文件是空的。</translation>
    </message>
    <message>
      <source>This file is listed in its folder but cannot be opened.</source>
      <translation>此文件在其文件夹中列出，但无法打开。</translation>
    </message>
    <message>
      <source>This file is locked for distribution; save it as .hwpx without the lock to have it read.</source>
      <translation>此文件已锁定以供分发；请解除锁定并另存为 .hwpx 以便读取。</translation>
    </message>
    <message>
      <source>This file is nested too deeply; the rest of it was left out.</source>
      <translation>此文件嵌套过深；其余部分已略去。</translation>
    </message>
    <message>
      <source>This file is not a mailbox.</source>
      <translation>此文件不是邮箱。</translation>
    </message>
    <message>
      <source>This file is protected by a password.</source>
      <translation>此文件受密码保护。</translation>
    </message>
    <message>
      <source>This file is very large; the rest of it was left out.</source>
      <translation>此文件非常大；其余部分已略去。</translation>
    </message>
    <message>
      <source>This file needs {0}, and the installed one cannot be used; convert it to PDF.</source>
      <translation>此文件需要 {0}，而已安装的版本无法使用；请将文件转换为 PDF。</translation>
    </message>
    <message>
      <source>This file unpacks to far more than its size; the rest of it was left out.</source>
      <translation>此文件解压后远大于其大小；其余部分已略去。</translation>
    </message>
    <message>
      <source>This file was saved by Hangul Word Processor 3; save it as .hwpx to have it read.</source>
      <translation>此文件由 Hangul 文字处理器 3 保存；请另存为 .hwpx 以便读取。</translation>
    </message>
    <message>
      <source>This file was saved by PowerPoint 4 or earlier; save it as .pptx to have it read.</source>
      <translation>此文件由 PowerPoint 4 或更早版本保存；请另存为 .pptx 以便读取。</translation>
    </message>
    <message>
      <source>This file was saved by Word for DOS or an early Word for Macintosh; save it as .docx to have it read.</source>
      <translation>此文件由 DOS 版 Word 或早期的 Macintosh 版 Word 保存；请另存为 .docx 以便读取。</translation>
    </message>
    <message>
      <source>This folder has been erased from the library. Add it again.</source>
      <translation>此文件夹已从资料库中删除。请重新添加。</translation>
    </message>
    <message>
      <source>This folder is no longer in the library.</source>
      <translation>此文件夹已不在资料库中。</translation>
    </message>
    <message>
      <source>This folder is not there now</source>
      <translation>此文件夹现在不在</translation>
    </message>
    <message>
      <source>This has cost {0}. What is written is kept; it can go on.</source>
      <translation>已花费 {0}。已写的内容会保留，可以继续。</translation>
    </message>
    <message>
      <source>This has taken {0} minutes. What is written is kept; it can go on.</source>
      <translation>已用 {0} 分钟。已写的内容会保留，可以继续。</translation>
    </message>
    <message>
      <source>This has used {0} tokens of {1}. What is written is kept; it can go on.</source>
      <translation>已用 {0} / {1} 个词元。已写的内容会保留，可以继续。</translation>
    </message>
    <message>
      <source>This help book contains no text.</source>
      <translation>此帮助文档没有文字。</translation>
    </message>
    <message>
      <source>This is a binary file, not a text file.</source>
      <translation>这是二进制文件，不是文本文件。</translation>
    </message>
    <message>
      <source>This is a team library: its files are read, tried again and checked on the computer that writes it. Ask whoever runs it.</source>
      <translation>这是团队资料库：其文件在写入它的电脑上读取、重试和检查。请询问其管理者。</translation>
    </message>
    <message>
      <source>This is no desktop-rag:// link that can be read.</source>
      <translation>这不是可读取的 desktop-rag:// 链接。</translation>
    </message>
    <message>
      <source>This is no presentation of Keynote. It may hold a key, and is not read.</source>
      <translation>这不是 Keynote 演示文稿。它可能包含密钥，因此不读取。</translation>
    </message>
    <message>
      <source>This is no valid pattern.</source>
      <translation>这不是有效的模式。</translation>
    </message>
    <message>
      <source>This is not a sentence encoder: model.onnx needs the inputs input_ids and attention_mask and one of the outputs {0}; it has {1} → {2}.</source>
      <translation>这不是句子编码器：model.onnx 需要输入 input_ids 和 attention_mask 以及输出 {0} 之一；它有 {1} → {2}。</translation>
    </message>
    <message>
      <source>This is the only library. Make another one first.</source>
      <translation>这是唯一的资料库。请先创建另一个。</translation>
    </message>
    <message>
      <source>This is {0}, not a text file.</source>
      <translation>这是{0}，不是文本文件。</translation>
    </message>
    <message>
      <source>This library is empty. Add a folder first.</source>
      <translation>此资料库是空的。请先添加文件夹。</translation>
    </message>
    <message>
      <source>This library was closed. Open it again.</source>
      <translation>此资料库已关闭。请重新打开。</translation>
    </message>
    <message>
      <source>This link cannot be followed</source>
      <translation>无法打开此链接</translation>
    </message>
    <message>
      <source>This link cannot be read.</source>
      <translation>无法读取此链接。</translation>
    </message>
    <message>
      <source>This link has no words.</source>
      <translation>此链接不含文字。</translation>
    </message>
    <message>
      <source>This link is too long.</source>
      <translation>此链接过长。</translation>
    </message>
    <message>
      <source>This link names no file.</source>
      <translation>此链接未指明文件。</translation>
    </message>
    <message>
      <source>This link names something twice.</source>
      <translation>此链接重复指定了内容。</translation>
    </message>
    <message>
      <source>This mail contains no text.</source>
      <translation>此邮件没有文字。</translation>
    </message>
    <message>
      <source>This mail is nested too deeply to be read.</source>
      <translation>此邮件嵌套过深，无法读取。</translation>
    </message>
    <message>
      <source>This mail or file is encrypted; save it decrypted to have it read.</source>
      <translation>此邮件或文件已加密；请解密后保存以便读取。</translation>
    </message>
    <message>
      <source>This mailbox contains no mails.</source>
      <translation>此邮箱中没有邮件。</translation>
    </message>
    <message>
      <source>This model cannot run on this computer</source>
      <translation>此模型无法在这台电脑上运行</translation>
    </message>
    <message>
      <source>This model cannot use tools</source>
      <translation>此模型不能使用工具</translation>
    </message>
    <message>
      <source>This model does not accept tools, which the search needs. Choose another one if you can.</source>
      <translation>此模型不接受搜索所需的工具。如有可能，请选择其他模型。</translation>
    </message>
    <message>
      <source>This needs a language model: connect one. Without it, documents and passages can only be shown as they are.</source>
      <translation>这需要语言模型：请连接一个。没有语言模型时，只能原样显示文档和段落。</translation>
    </message>
    <message>
      <source>This notebook is empty.</source>
      <translation>此笔记本是空的。</translation>
    </message>
    <message>
      <source>This page contains no text.</source>
      <translation>此页没有文本。</translation>
    </message>
    <message>
      <source>This page does not exist any more.</source>
      <translation>此页已不存在。</translation>
    </message>
    <message>
      <source>This page is damaged and cannot be shown ({0}).</source>
      <translation>此页已损坏，无法显示（{0}）。</translation>
    </message>
    <message>
      <source>This page is nested too deeply; the rest of it was left out.</source>
      <translation>此网页嵌套过深；其余部分已略去。</translation>
    </message>
    <message>
      <source>This passage is no longer in the library. Search again.</source>
      <translation>此段落已不在资料库中。请重新搜索。</translation>
    </message>
    <message>
      <source>This picture is damaged or of an unsupported kind.</source>
      <translation>此图片已损坏或类型不受支持。</translation>
    </message>
    <message>
      <source>This query cannot be understood</source>
      <translation>无法理解此搜索</translation>
    </message>
    <message>
      <source>This query has more than {0} words.</source>
      <translation>此查询超过 {0} 个词。</translation>
    </message>
    <message>
      <source>This quotation mark is never closed.</source>
      <translation>此引号没有关闭。</translation>
    </message>
    <message>
      <source>This range ends before it begins.</source>
      <translation>此范围的结尾早于开头。</translation>
    </message>
    <message>
      <source>This recording has no metadata.</source>
      <translation>此录制文件没有元数据。</translation>
    </message>
    <message>
      <source>This recording is damaged or of an unsupported kind.</source>
      <translation>此录制文件已损坏或类型不受支持。</translation>
    </message>
    <message>
      <source>This recording is damaged.</source>
      <translation>此录制文件已损坏。</translation>
    </message>
    <message>
      <source>This report was deleted.</source>
      <translation>此报告已被删除。</translation>
    </message>
    <message>
      <source>This sentence encoder does not declare the length of its vectors (its output shape).</source>
      <translation>此句子编码器未声明其向量长度（输出的形状）。</translation>
    </message>
    <message>
      <source>This standing question was removed.</source>
      <translation>此长期问题已移除。</translation>
    </message>
    <message>
      <source>This system reports no changes now ({0})</source>
      <translation>本系统现在不报告更改（{0}）</translation>
    </message>
    <message>
      <source>This table was deleted.</source>
      <translation>此表格已被删除。</translation>
    </message>
    <message>
      <source>This user may not do that in the team's library. Ask whoever runs it for the role.</source>
      <translation>此用户无权在团队资料库中执行该操作。请向其管理员申请角色。</translation>
    </message>
    <message>
      <source>This was not found in your documents.</source>
      <translation>在您的文档中未找到此内容。</translation>
    </message>
    <message>
      <source>This {0} cannot be opened: {1}.</source>
      <translation>无法打开此{0}：{1}。</translation>
    </message>
    <message>
      <source>To read {0} tokens it would need about {1} seconds: not tried.</source>
      <translation>读取 {0} 个词元约需 {1} 秒：未尝试。</translation>
    </message>
    <message>
      <source>Token count</source>
      <translation>词元计数</translation>
    </message>
    <message>
      <source>Try again in a while.</source>
      <translation>请过一会儿再试。</translation>
    </message>
    <message>
      <source>Two columns ask “{0}”, as {1} and as {2}. Remove one of them.</source>
      <translation>有两列都在问“{0}”，一列为 {1}，一列为 {2}。请删除其中一列。</translation>
    </message>
    <message>
      <source>Two of the values of “{0}” are the same.</source>
      <translation>“{0}”的两个选项相同。</translation>
    </message>
    <message>
      <source>Visio files from before 2013 are not read yet; save them as .vsdx, or export them as PDF</source>
      <translation>尚不读取 2013 年之前的 Visio 文件；请另存为 .vsdx 或导出为 PDF</translation>
    </message>
    <message>
      <source>Web pages</source>
      <translation>网页</translation>
    </message>
    <message>
      <source>What is asked for was not recognised in any quotation together with {0}.</source>
      <translation>在任何引文中都没有识别出与{0}一起出现的所问内容。</translation>
    </message>
    <message>
      <source>Which model?</source>
      <translation>哪个模型？</translation>
    </message>
    <message>
      <source>With the links of the best passages</source>
      <translation>连同最佳段落的链接</translation>
    </message>
    <message>
      <source>Word documents</source>
      <translation>文字文档</translation>
    </message>
    <message>
      <source>WordPerfect files are not read yet; save them as .odt or .docx, such as with LibreOffice</source>
      <translation>尚不读取 WordPerfect 文件；请另存为 .odt 或 .docx，例如用 LibreOffice</translation>
    </message>
    <message>
      <source>You have no permission to open it; what was read stays searchable.</source>
      <translation>您无权打开它；已读取的内容仍可搜索。</translation>
    </message>
    <message>
      <source>You have no permission to open this {0}.</source>
      <translation>您无权打开此{0}。</translation>
    </message>
    <message>
      <source>You have no permission to read it.</source>
      <translation>您无权读取它。</translation>
    </message>
    <message>
      <source>You have no permission to read this file.</source>
      <translation>您没有读取此文件的权限。</translation>
    </message>
    <message>
      <source>Your limit on money is reached</source>
      <translation>已达到您的费用限制</translation>
    </message>
    <message>
      <source>Your question and most of your documents seem to be in different languages: ask in that of your documents, too.</source>
      <translation>您的问题和大多数文档似乎使用不同的语言：请也用文档的语言提问。</translation>
    </message>
    <message>
      <source>a KWord file</source>
      <translation>KWord 文件</translation>
    </message>
    <message>
      <source>a Rich Text file</source>
      <translation>RTF 文件</translation>
    </message>
    <message>
      <source>a Visio drawing</source>
      <translation>Visio 绘图</translation>
    </message>
    <message>
      <source>a Word document</source>
      <translation>Word 文档</translation>
    </message>
    <message>
      <source>a ZIP archive or an Office file</source>
      <translation>ZIP 压缩包或 Office 文件</translation>
    </message>
    <message>
      <source>a compressed file</source>
      <translation>压缩文件</translation>
    </message>
    <message>
      <source>a database</source>
      <translation>数据库</translation>
    </message>
    <message>
      <source>a drawing</source>
      <translation>绘图</translation>
    </message>
    <message>
      <source>a file of Hangul Word Processor</source>
      <translation>Hangul 文字处理文件</translation>
    </message>
    <message>
      <source>a picture</source>
      <translation>图片</translation>
    </message>
    <message>
      <source>a presentation</source>
      <translation>演示文稿</translation>
    </message>
    <message>
      <source>a program</source>
      <translation>程序</translation>
    </message>
    <message>
      <source>a share</source>
      <translation>一部分</translation>
    </message>
    <message>
      <source>a workbook</source>
      <translation>工作簿</translation>
    </message>
    <message>
      <source>an OpenDocument file</source>
      <translation>OpenDocument 文件</translation>
    </message>
    <message>
      <source>an archive</source>
      <translation>压缩包</translation>
    </message>
    <message>
      <source>an e-book</source>
      <translation>电子书</translation>
    </message>
    <message>
      <source>an index</source>
      <translation>索引</translation>
    </message>
    <message>
      <source>an office file</source>
      <translation>Office 文件</translation>
    </message>
    <message>
      <source>an old Office file</source>
      <translation>旧版 Office 文件</translation>
    </message>
    <message>
      <source>another address</source>
      <translation>另一个地址</translation>
    </message>
    <message>
      <source>compressed with an unsupported method</source>
      <translation>压缩方法不受支持</translation>
    </message>
    <message>
      <source>echo {0} | sudo tee /etc/sysctl.d/60-{1}.conf &amp;&amp; sudo sysctl --system</source>
      <translation>echo {0} | sudo tee /etc/sysctl.d/60-{1}.conf &amp;&amp; sudo sysctl --system</translation>
    </message>
    <message>
      <source>every minute</source>
      <translation>每分钟</translation>
    </message>
    <message>
      <source>every {0} seconds</source>
      <translation>每 {0} 秒</translation>
    </message>
    <message>
      <source>it ended the connection</source>
      <translation>它断开了连接</translation>
    </message>
    <message>
      <source>it gave no answer</source>
      <translation>它没有回答</translation>
    </message>
    <message>
      <source>it gave no answer in time</source>
      <translation>它没有及时回答</translation>
    </message>
    <message>
      <source>it refused the connection</source>
      <translation>它拒绝了连接</translation>
    </message>
    <message>
      <source>its best passage is at place {0}, and the list shows {1}</source>
      <translation>其最佳段落在第 {0} 位，而列表显示 {1}</translation>
    </message>
    <message>
      <source>its process ended before it could begin</source>
      <translation>其进程在开始之前就已结束</translation>
    </message>
    <message>
      <source>its process was ended from outside</source>
      <translation>其进程被外部结束</translation>
    </message>
    <message>
      <source>leaves it out</source>
      <translation>将其排除</translation>
    </message>
    <message>
      <source>made no progress for {0} seconds</source>
      <translation>{0} 秒内没有进展</translation>
    </message>
    <message>
      <source>needs more memory than is allowed</source>
      <translation>所需内存超出限制</translation>
    </message>
    <message>
      <source>no address is known for its name</source>
      <translation>找不到其名称的地址</translation>
    </message>
    <message>
      <source>no file</source>
      <translation>没有文件</translation>
    </message>
    <message>
      <source>no more than {0} are read</source>
      <translation>最多读取 {0}</translation>
    </message>
    <message>
      <source>no network leads to it</source>
      <translation>没有网络通向它</translation>
    </message>
    <message>
      <source>of files</source>
      <translation>的文件</translation>
    </message>
    <message>
      <source>on the team's server</source>
      <translation>位于团队服务器上</translation>
    </message>
    <message>
      <source>only a link</source>
      <translation>只是链接</translation>
    </message>
    <message>
      <source>only the first {0} of {1} pages were read ({2})</source>
      <translation>只读取了 {1} 页中的前 {0} 页（{2}）</translation>
    </message>
    <message>
      <source>own line</source>
      <translation>自己的行</translation>
    </message>
    <message>
      <source>page {0} without text (a scan?)</source>
      <translation>第 {0} 页没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>pages {0} and {1} more without text (a scan?)</source>
      <translation>第 {0} 页及另外 {1} 页没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>pages {0} without text (a scan?)</source>
      <translation>第 {0} 页没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>produces more output than is allowed</source>
      <translation>输出超出限制</translation>
    </message>
    <message>
      <source>protected by a password</source>
      <translation>受密码保护</translation>
    </message>
    <message>
      <source>system volume information</source>
      <translation>系统文件夹</translation>
    </message>
    <message>
      <source>takes it in</source>
      <translation>将其包括</translation>
    </message>
    <message>
      <source>the file is damaged; what could be repaired was read</source>
      <translation>文件已损坏；已读取可修复的部分</translation>
    </message>
    <message>
      <source>the first </source>
      <translation>前 </translation>
    </message>
    <message>
      <source>the rules of all folders</source>
      <translation>所有文件夹的规则</translation>
    </message>
    <message>
      <source>the system ran out of memory</source>
      <translation>系统内存不足</translation>
    </message>
    <message>
      <source>this folder's rules</source>
      <translation>此文件夹的规则</translation>
    </message>
    <message>
      <source>too big</source>
      <translation>太大</translation>
    </message>
    <message>
      <source>too large</source>
      <translation>过大</translation>
    </message>
    <message>
      <source>took longer than {0} seconds of processor time</source>
      <translation>耗用处理器时间超过 {0} 秒</translation>
    </message>
    <message>
      <source>without text (a scan?)</source>
      <translation>没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>{0} (.{1}) are not read yet</source>
      <translation>尚不读取{0}（.{1}）</translation>
    </message>
    <message>
      <source>{0} Also tried: {1}.</source>
      <translation>{0} 也试过：{1}。</translation>
    </message>
    <message>
      <source>{0} It was tried {1} times and is quarantined until it changes.</source>
      <translation>{0}已尝试 {1} 次；在文件发生变化之前不再读取。</translation>
    </message>
    <message>
      <source>{0} and what it leads to</source>
      <translation>{0}及其引出的内容</translation>
    </message>
    <message>
      <source>{0} and {1} more</source>
      <translation>{0}及另外 {1} 个</translation>
    </message>
    <message>
      <source>{0} and {1}, which the library has already, lie in one another. Nothing was changed.</source>
      <translation>{0} 与资料库已有的 {1} 互相包含。没有任何改动。</translation>
    </message>
    <message>
      <source>{0} answered after {1} seconds.</source>
      <translation>{0} 在 {1} 秒后作答。</translation>
    </message>
    <message>
      <source>{0} answered after {1} seconds.{2}</source>
      <translation>{0} 在 {1} 秒后作答。{2}</translation>
    </message>
    <message>
      <source>{0} answered {1} for {2}. Try later.</source>
      <translation>{0} 对 {2} 的回答是 {1}。请稍后再试。</translation>
    </message>
    <message>
      <source>{0} answered, but not as a model does: {1} – check the address.</source>
      <translation>{0} 有响应，但不像模型：{1} – 请检查地址。</translation>
    </message>
    <message>
      <source>{0} asks for an API key, and this model has none ({1}). Add the key in the settings.</source>
      <translation>{0} 要求 API 密钥，而此模型没有（{1}）。请在设置中添加密钥。</translation>
    </message>
    <message>
      <source>{0} broke off with an error ({1}). Ask again.</source>
      <translation>{0} 因错误中断（{1}）。请再问一次。</translation>
    </message>
    <message>
      <source>{0} by meaning</source>
      <translation>{0}（按含义）</translation>
    </message>
    <message>
      <source>{0} by words</source>
      <translation>{0}（按词）</translation>
    </message>
    <message>
      <source>{0} cannot be deleted: {1}.</source>
      <translation>无法删除 {0}：{1}。</translation>
    </message>
    <message>
      <source>{0} cannot be kept private ({1}).</source>
      <translation>无法将 {0} 保持私密（{1}）。</translation>
    </message>
    <message>
      <source>{0} cannot be opened ({1}). Check that its folder exists and is yours.</source>
      <translation>无法打开 {0}（{1}）。请检查其文件夹存在且属于您。</translation>
    </message>
    <message>
      <source>{0} cannot be opened: {1}.</source>
      <translation>无法打开 {0}：{1}。</translation>
    </message>
    <message>
      <source>{0} cannot be reached ({1}). Check the address and your network.</source>
      <translation>无法连接 {0}（{1}）。请检查地址和网络。</translation>
    </message>
    <message>
      <source>{0} cannot be reached, or broke off ({1}). Check the network and start again.</source>
      <translation>无法连接 {0}，或连接中断（{1}）。请检查网络后重试。</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}).</source>
      <translation>无法读取 {0}（{1}）。</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Nothing was changed.</source>
      <translation>无法读取 {0}（{1}）。没有任何改动。</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Remove the library and add it again.</source>
      <translation>无法读取 {0}（{1}）。请移除该资料库后重新添加。</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Repair or delete it; the defaults are used until then.</source>
      <translation>无法读取 {0}（{1}）。请修复或删除它；在此之前使用默认值。</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}); download it again.</source>
      <translation>无法读取 {0}（{1}）；请重新下载。</translation>
    </message>
    <message>
      <source>{0} cannot be read: {1}.</source>
      <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
      <source>{0} cannot be shown: {1}.</source>
      <translation>无法显示 {0}：{1}。</translation>
    </message>
    <message>
      <source>{0} cannot be started ({1}). Choose llama.cpp's llama-server.</source>
      <translation>无法启动 {0}（{1}）。请选择 llama.cpp 的程序 llama-server。</translation>
    </message>
    <message>
      <source>{0} cannot be used ({1}). Check its permissions and its disk, or choose another folder.</source>
      <translation>无法使用 {0}（{1}）。请检查其权限和磁盘，或另选文件夹。</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}).</source>
      <translation>无法写入 {0}（{1}）。</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}). The change lasts until the window closes.</source>
      <translation>无法写入 {0}（{1}）。更改只在窗口关闭前有效。</translation>
    </message>
    <message>
      <source>{0} cannot be written. Check the permissions of its folder.</source>
      <translation>无法写入 {0}。请检查其文件夹的权限。</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}.</source>
      <translation>无法写入 {0}：{1}。</translation>
    </message>
    <message>
      <source>{0} cells in a row got no answer, so no more were asked.</source>
      <translation>连续 {0} 个单元格没有得到回答，因此没有继续提问。</translation>
    </message>
    <message>
      <source>{0} closed the connection before the answer was complete. Ask again.</source>
      <translation>{0} 在答案完成前关闭了连接。请再问一次。</translation>
    </message>
    <message>
      <source>{0} closed the connection without an answer. Ask again, or check the server, and whether its address begins with https://.</source>
      <translation>{0} 未作答就关闭了连接。请再问一次，或检查服务器，以及其地址是否以 https:// 开头。</translation>
    </message>
    <message>
      <source>{0} closed the connection without an answer. Ask again, or check the server.</source>
      <translation>{0} 未作答就关闭了连接。请再问一次，或检查服务器。</translation>
    </message>
    <message>
      <source>{0} comes with the program and stays.</source>
      <translation>{0} 随程序提供，不能删除。</translation>
    </message>
    <message>
      <source>{0} could not be read</source>
      <translation>{0} 无法读取</translation>
    </message>
    <message>
      <source>{0} could not be used ({1}).</source>
      <translation>无法使用 {0}（{1}）。</translation>
    </message>
    <message>
      <source>{0} could not read this file.</source>
      <translation>{0} 无法读取此文件。</translation>
    </message>
    <message>
      <source>{0} did not accept a connection in time. Check the address and your network.</source>
      <translation>{0} 未及时接受连接。请检查地址和网络。</translation>
    </message>
    <message>
      <source>{0} did not accept a connection within {1}. Check the address and your network.</source>
      <translation>{0} 在{1}内没有接受连接。请检查地址和您的网络。</translation>
    </message>
    <message>
      <source>{0} did not accept the API key ({1}). Check the key of this model in the settings.</source>
      <translation>{0} 不接受 API 密钥（{1}）。请在设置中检查此模型的密钥。</translation>
    </message>
    <message>
      <source>{0} did not accept the request ({1}). Check the model and the settings.</source>
      <translation>{0} 未接受请求（{1}）。请检查模型和设置。</translation>
    </message>
    <message>
      <source>{0} did not finish in time ({1}). Try again, or check the server.</source>
      <translation>{0} 未及时完成（{1}）。请重试，或检查服务器。</translation>
    </message>
    <message>
      <source>{0} did not respond for {1}. Ask again, or check the server.</source>
      <translation>{0} 在 {1} 内没有响应。请重新提问，或检查服务器。</translation>
    </message>
    <message>
      <source>{0} did not respond in time. Ask again, or check the server.</source>
      <translation>{0} 未及时响应。请重新提问，或检查服务器。</translation>
    </message>
    <message>
      <source>{0} does not accept the client certificate of this model, or asks for one ({1}). Choose the certificate in the settings of the model.</source>
      <translation>{0} 不接受此模型的客户端证书，或要求提供证书（{1}）。请在模型设置中选择证书。</translation>
    </message>
    <message>
      <source>{0} does not allow this key to use “{1}” ({2}). Check the key and the model.</source>
      <translation>{0} 不允许此密钥使用“{1}”（{2}）。请检查密钥和模型。</translation>
    </message>
    <message>
      <source>{0} does not end its answer. The text so far is kept.</source>
      <translation>{0} 没有结束其答案。已收到的文字予以保留。</translation>
    </message>
    <message>
      <source>{0} does not exist.</source>
      <translation>{0} 不存在。</translation>
    </message>
    <message>
      <source>{0} does not hold the files of {1}: of {2} files {3} are there unchanged. Nothing was changed. If it is another folder, add it as such.</source>
      <translation>{0} 中没有 {1} 的文件：{2} 个文件中有 {3} 个原样存在。没有任何改动。如果是另一个文件夹，请单独添加。</translation>
    </message>
    <message>
      <source>{0} does not know the model “{1}” ({2}). Choose another one in the settings, or load it on the server first.</source>
      <translation>{0} 不认识模型“{1}”（{2}）。请在设置中另选，或先在服务器上加载它。</translation>
    </message>
    <message>
      <source>{0} does not occur in it{1}.</source>
      <translation>其中没有{0}{1}。</translation>
    </message>
    <message>
      <source>{0} does not rank similar sentences first in any language: it is no sentence encoder, or its pooling or prefixes are others than its folder says (--pooling, --query-prefix, --passage-prefix).</source>
      <translation>{0} 在任何语言中都不能把相似的句子排在前面：它不是句子编码器，或其池化方式、前缀与文件夹所述不同（--pooling、--query-prefix、--passage-prefix）。</translation>
    </message>
    <message>
      <source>{0} does not speak HTTP as expected ({1}). Check the address, and whether it is https.</source>
      <translation>{0} 未按预期使用 HTTP（{1}）。请检查地址，以及是否应为 https。</translation>
    </message>
    <message>
      <source>{0} does not speak TLS as expected ({1}). Check whether the address is http or https.</source>
      <translation>{0} 未按预期使用 TLS（{1}）。请检查地址应为 http 还是 https。</translation>
    </message>
    <message>
      <source>{0} ended the answer in the middle. The text so far is kept; ask again to continue.</source>
      <translation>{0} 中途结束了回答。已收到的文本会保留；请重新提问以继续。</translation>
    </message>
    <message>
      <source>{0} failed ({1}). Try again, or check the server.</source>
      <translation>{0} 失败（{1}）。请重试，或检查服务器。</translation>
    </message>
    <message>
      <source>{0} folders are on drives that are not connected now; their text stays searchable.</source>
      <translation>{0} 个文件夹位于当前未连接的驱动器上；其文字仍可搜索。</translation>
    </message>
    <message>
      <source>{0} folders, such as “{1}”,</source>
      <translation>{0} 个文件夹，例如“{1}”，</translation>
    </message>
    <message>
      <source>{0} found</source>
      <translation>找到{0}</translation>
    </message>
    <message>
      <source>{0} found again</source>
      <translation>已再次找到{0}</translation>
    </message>
    <message>
      <source>{0} from {1} is not the published file: its size or checksum differs. Nothing was kept. Start again later; if it stays, the file was changed there.</source>
      <translation>来自 {1} 的 {0} 不是已发布的文件：大小或校验和不同。没有保留任何内容。请稍后重试；如果仍然如此，说明那里的文件已被更改。</translation>
    </message>
    <message>
      <source>{0} given</source>
      <translation>给定{0}</translation>
    </message>
    <message>
      <source>{0} has an unknown version of the GGUF format ({1}).</source>
      <translation>{0} 的 GGUF 格式版本未知（{1}）。</translation>
    </message>
    <message>
      <source>{0} has just been changed by another program. Try again.</source>
      <translation>{0} 刚刚被其他程序更改。请重试。</translation>
    </message>
    <message>
      <source>{0} has lost its id. Run `desktop-rag check --repair`.</source>
      <translation>{0} 丢失了标识。请运行 `desktop-rag check --repair`。</translation>
    </message>
    <message>
      <source>{0} has not enough memory for the model ({1}). Choose a smaller model or context there.</source>
      <translation>{0} 的内存不足以运行该模型（{1}）。请在那里选择更小的模型或上下文。</translation>
    </message>
    <message>
      <source>{0} has parts that are not supported ({1}). Choose a sentence encoder whose modules.json has only Transformer, Pooling and Normalize.</source>
      <translation>{0} 含有不支持的部分（{1}）。请选择 modules.json 中只有 Transformer、Pooling 和 Normalize 的句子编码器。</translation>
    </message>
    <message>
      <source>{0} has the size and time of the file the library knows, but not its bytes. Nothing was changed. If it is another folder, add it as such.</source>
      <translation>{0} 的大小和时间与资料库所知的文件相同，但字节不同。没有任何改动。如果是另一个文件夹，请单独添加。</translation>
    </message>
    <message>
      <source>{0} has too many requests at present ({1}). Try again in a moment, or choose another model.</source>
      <translation>{0} 目前请求过多（{1}）。请稍后重试，或选择其他模型。</translation>
    </message>
    <message>
      <source>{0} high enough, but a list shows few of each file and each text only once.</source>
      <translation>{0}足够靠前，但列表对每个文件只显示几段，相同文本只显示一次。</translation>
    </message>
    <message>
      <source>{0} holds no language model that can answer.</source>
      <translation>{0} 中没有能够回答问题的语言模型。</translation>
    </message>
    <message>
      <source>{0} holds no sentence encoder: no model.safetensors or model.onnx is in it.</source>
      <translation>{0} 中没有句子编码器：里面没有 model.safetensors 或 model.onnx。</translation>
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation>{1}中：{0}</translation>
    </message>
    <message>
      <source>{0} is cut off: its end is missing. Download it again.</source>
      <translation>{0} 不完整：缺少结尾。请重新下载。</translation>
    </message>
    <message>
      <source>{0} is damaged ({1}). `desktop-rag index`, or opening the window, repairs it.</source>
      <translation>{0} 已损坏（{1}）。运行 `desktop-rag index` 或打开窗口会修复它。</translation>
    </message>
    <message>
      <source>{0} is damaged or needs a newer onnxruntime; download it again.</source>
      <translation>{0} 已损坏或需要更新的 onnxruntime；请重新下载。</translation>
    </message>
    <message>
      <source>{0} is damaged or not an ONNX file; download it again.</source>
      <translation>{0} 已损坏或不是 ONNX 文件；请重新下载。</translation>
    </message>
    <message>
      <source>{0} is damaged: its header contains no text where it should.</source>
      <translation>{0} 已损坏：文件头中应为文本的位置不是文本。</translation>
    </message>
    <message>
      <source>{0} is damaged: its header makes no sense. Download it again.</source>
      <translation>{0} 已损坏：文件头无法理解。请重新下载。</translation>
    </message>
    <message>
      <source>{0} is held by another program for too long. Close it and try again.</source>
      <translation>{0} 被另一个程序占用太久。请关闭它后重试。</translation>
    </message>
    <message>
      <source>{0} is in use. Choose another one first: desktop-rag encoder use {1}</source>
      <translation>{0} 正在使用。请先选择另一个：desktop-rag encoder use {1}</translation>
    </message>
    <message>
      <source>{0} is larger than {1} bytes: add the server by hand.</source>
      <translation>{0} 大于 {1} 字节，请手动添加服务器。</translation>
    </message>
    <message>
      <source>{0} is missing. Connect the disk that contains the library.</source>
      <translation>{0} 不存在。请连接存放资料库的磁盘。</translation>
    </message>
    <message>
      <source>{0} is no file. Nothing was changed.</source>
      <translation>{0} 不是文件。未作任何更改。</translation>
    </message>
    <message>
      <source>{0} is no folder and no zip archive that can be read ({1}).</source>
      <translation>{0} 不是文件夹，也不是可读取的 zip 压缩包（{1}）。</translation>
    </message>
    <message>
      <source>{0} is no team library. Check the address, or ask whoever runs it.</source>
      <translation>{0} 不是团队资料库。请检查地址，或询问其管理者。</translation>
    </message>
    <message>
      <source>{0} is not UTF-8 text. Nothing was changed.</source>
      <translation>{0} 不是 UTF-8 文本。未作任何更改。</translation>
    </message>
    <message>
      <source>{0} is not a GGUF file. Choose a file that ends in .gguf.</source>
      <translation>{0} 不是 GGUF 文件。请选择以 .gguf 结尾的文件。</translation>
    </message>
    <message>
      <source>{0} is not a file.</source>
      <translation>{0} 不是文件。</translation>
    </message>
    <message>
      <source>{0} is not a folder of the library.</source>
      <translation>{0} 不是资料库中的文件夹。</translation>
    </message>
    <message>
      <source>{0} is not a published sentence encoder: it needs {1}, and {2} or {3}. Download these files of the model, with config.json, into one folder.</source>
      <translation>{0} 不是已发布的句子编码器：需要 {1}，以及 {2} 或 {3}。请把模型的这些文件和 config.json 下载到同一个文件夹。</translation>
    </message>
    <message>
      <source>{0} is not asked: its address is not encrypted (https).</source>
      <translation>不会访问 {0}：其地址未加密（https）。</translation>
    </message>
    <message>
      <source>{0} is not empty. Choose an empty folder for the library's own files.</source>
      <translation>{0} 不是空的。请为资料库自己的文件选择空文件夹。</translation>
    </message>
    <message>
      <source>{0} is not in the library any more.</source>
      <translation>{0} 已不在资料库中。</translation>
    </message>
    <message>
      <source>{0} is not ready yet ({1}). Try again in a moment.</source>
      <translation>{0} 尚未就绪（{1}）。请稍后再试。</translation>
    </message>
    <message>
      <source>{0} is of the kind “{1}”; only BERT and XLM-RoBERTa can be converted from {2}. Add its ONNX file (onnx/model.onnx) to the folder.</source>
      <translation>{0} 的类型是“{1}”；从 {2} 只能转换 BERT 和 XLM-RoBERTa。请把它的 ONNX 文件（onnx/model.onnx）放入文件夹。</translation>
    </message>
    <message>
      <source>{0} is one of {1} parts of a model. Join them with `llama-gguf-split --merge` and choose the result.</source>
      <translation>{0} 是一个模型的 {1} 个部分之一。请用 `llama-gguf-split --merge` 合并它们，然后选择合并后的文件。</translation>
    </message>
    <message>
      <source>{0} is too big: it needs about {1} GB of memory with a context of {2} tokens, and {3} GB are free. Close other programs or choose a smaller model.</source>
      <translation>{0} 太大：上下文为 {2} 个词元时约需 {1} GB 内存，而可用内存为 {3} GB。请关闭其他程序，或选择更小的模型。</translation>
    </message>
    <message>
      <source>{0} is too large: at most {1} GB of weights.</source>
      <translation>{0} 太大：权重最多 {1} GB。</translation>
    </message>
    <message>
      <source>{0} is too large: at most {1} GB.</source>
      <translation>{0} 太大：最多 {1} GB。</translation>
    </message>
    <message>
      <source>{0} kept</source>
      <translation>保留{0}</translation>
    </message>
    <message>
      <source>{0} letter by letter</source>
      <translation>{0}（逐字）</translation>
    </message>
    <message>
      <source>{0} limits the rate of requests ({1}). {2}</source>
      <translation>{0} 限制请求频率（{1}）。{2}</translation>
    </message>
    <message>
      <source>{0} models are listed.</source>
      <translation>列出了 {0} 个模型。</translation>
    </message>
    <message>
      <source>{0} more of its passages rank</source>
      <translation>它还有 {0} 段排名</translation>
    </message>
    <message>
      <source>{0} not read yet: the answer does without</source>
      <translation>{0}尚未读取：回答不含其内容</translation>
    </message>
    <message>
      <source>{0} occurs in {1}.</source>
      <translation>{0}出现在{1}中。</translation>
    </message>
    <message>
      <source>{0} of its passages</source>
      <translation>它的 {0} 段</translation>
    </message>
    <message>
      <source>{0} of {1} files in this archive cannot be read: {2}.</source>
      <translation>此压缩包中 {1} 个文件有 {0} 个无法读取：{2}。</translation>
    </message>
    <message>
      <source>{0} offers only outdated versions of TLS ({1}). Update that server.</source>
      <translation>{0} 只提供过时的 TLS 版本（{1}）。请更新该服务器。</translation>
    </message>
    <message>
      <source>{0} pages without text (a scan?)</source>
      <translation>{0} 页没有文字（扫描件？）</translation>
    </message>
    <message>
      <source>{0} passages read</source>
      <translation>已读取 {0} 段</translation>
    </message>
    <message>
      <source>{0} passes {1} on without end. Try later.</source>
      <translation>{0} 无休止地转发 {1}。请稍后再试。</translation>
    </message>
    <message>
      <source>{0} pools its tokens neither by their mean nor by the first. Choose another.</source>
      <translation>{0} 既不取词元的平均值也不取第一个词元。请选择另一个。</translation>
    </message>
    <message>
      <source>{0} read again</source>
      <translation>已再次读取{0}</translation>
    </message>
    <message>
      <source>{0} read {1} of about {2} tokens and dropped the beginning without a word. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or lower its context window in the settings.</source>
      <translation>{0} 只读取了约 {2} 个词元中的 {1} 个，并悄悄丢弃了开头。请在那里为模型设置更大的上下文（Ollama：OLLAMA_CONTEXT_LENGTH），或在设置中减小它的上下文窗口。</translation>
    </message>
    <message>
      <source>{0} redirects to {1} ({2}). Put the final address into the settings.</source>
      <translation>{0} 重定向到 {1}（{2}）。请在设置中填写最终地址。</translation>
    </message>
    <message>
      <source>{0} sent an empty answer. Check the address, or ask again.</source>
      <translation>{0} 发送了空回答。请检查地址，或重新提问。</translation>
    </message>
    <message>
      <source>{0} sent invalid JSON within its answer. Ask again.</source>
      <translation>{0} 的回答中包含无效的 JSON。请重新提问。</translation>
    </message>
    <message>
      <source>{0} speaks HTTPS at this port ({1}). Let the address begin with https:// instead of http://.</source>
      <translation>{0} 在此端口使用 HTTPS（{1}）。请让地址以 https:// 而不是 http:// 开头。</translation>
    </message>
    <message>
      <source>{0} tokens: enough for few passages only.</source>
      <translation>{0} 个词元：只够放少量段落。</translation>
    </message>
    <message>
      <source>{0} took longer than {1} seconds for this file.</source>
      <translation>{0} 处理此文件的时间超过 {1} 秒。</translation>
    </message>
    <message>
      <source>{0} was written by a newer version of this program. Please update, or choose another library.</source>
      <translation>{0} 由本程序的更新版本写成。请更新，或选择其他资料库。</translation>
    </message>
    <message>
      <source>{0} was written by an earlier version of this program. `desktop-rag index`, or opening the window, starts a new one and reads its folders again.</source>
      <translation>{0} 由本程序的早期版本写成。运行 `desktop-rag index` 或打开窗口会重新开始并再次读取其文件夹。</translation>
    </message>
    <message>
      <source>{0} wrote no tool call that can be read.</source>
      <translation>{0} 没有写出可读取的工具调用。</translation>
    </message>
    <message>
      <source>{0} {1} checked {2}. {3}.</source>
      <translation>{0} {1} 核对了{2}。{3}。</translation>
    </message>
    <message>
      <source>{0} {1}. To look for the word itself, write it in small letters.</source>
      <translation>{0} {1}。要查找该词本身，请用小写字母书写。</translation>
    </message>
    <message>
      <source>{0} – OCR is not installed (install Tesseract: package tesseract-ocr)</source>
      <translation>{0} – 未安装 OCR（请安装 Tesseract：软件包 tesseract-ocr）</translation>
    </message>
    <message>
      <source>{0} – they are being recognised</source>
      <translation>{0} – 正在识别</translation>
    </message>
    <message>
      <source>{0}, nor can it write them as text: the searches are made for it.</source>
      <translation>{0}，也无法以文本形式写出调用：搜索将代它进行。</translation>
    </message>
    <message>
      <source>{0}, which the query excludes, does not occur in it.</source>
      <translation>其中没有搜索所排除的{0}。</translation>
    </message>
    <message>
      <source>{0}, which the query excludes, occurs in {1}.</source>
      <translation>搜索所排除的{0}出现在{1}中。</translation>
    </message>
    <message>
      <source>{0}, {1} already read</source>
      <translation>{0}，其中 {1} 段先前已读</translation>
    </message>
    <message>
      <source>{0}: fs.inotify.{1}{2}. To raise it: “{3}”</source>
      <translation>{0}：fs.inotify.{1}{2}。提高上限的命令：“{3}”</translation>
    </message>
    <message>
      <source>{0}: not among {1}{2} passages.</source>
      <translation>{0}：不在 {1}{2} 段之中。</translation>
    </message>
    <message>
      <source>{0}: place {1} of {2} passages{3}.</source>
      <translation>{0}：{2} 段中的第 {1} 位{3}。</translation>
    </message>
    <message>
      <source>{0}; it can write calls as text instead, which is slower.</source>
      <translation>{0}；不过它可以用文本写出调用，只是较慢。</translation>
    </message>
    <message>
      <source>{0}; it is damaged, or too complex to read.</source>
      <translation>{0}；它已损坏，或过于复杂。</translation>
    </message>
    <message>
      <source>{0}; the rest of the file was left out.</source>
      <translation>{0}；文件的其余部分已略去。</translation>
    </message>
    <message>
      <source>{0}date:{1}</source>
      <translation>{0}date:{1}</translation>
    </message>
    <message>
      <source>{n} aspects</source>
      <translation>{n} 个方面</translation>
    </message>
    <message>
      <source>{n} documents</source>
      <translation>{n} 个文档</translation>
    </message>
    <message>
      <source>{n} files</source>
      <translation>{n} 个文件</translation>
    </message>
    <message>
      <source>{n} given passages</source>
      <translation>{n} 个给定段落</translation>
    </message>
    <message>
      <source>{n} items</source>
      <translation>{n} 项</translation>
    </message>
    <message>
      <source>{n} lines</source>
      <translation>{n} 行</translation>
    </message>
    <message>
      <source>{n} new files</source>
      <translation>{n} 个新文件</translation>
    </message>
    <message>
      <source>{n} pages</source>
      <translation>{n} 页</translation>
    </message>
    <message>
      <source>{n} passages</source>
      <translation>{n} 段</translation>
    </message>
    <message>
      <source>{n} places</source>
      <translation>{n} 处</translation>
    </message>
    <message>
      <source>{n} results</source>
      <translation>{n} 个结果</translation>
    </message>
    <message>
      <source>{n} statements</source>
      <translation>{n} 条陈述</translation>
    </message>
    <message>
      <source>{n} steps</source>
      <translation>{n} 步</translation>
    </message>
    <message>
      <source>{n} tool calls</source>
      <translation>{n} 次工具调用</translation>
    </message>
    <message>
      <source>“oracle” needs the gold passages of an evaluation. Choose another toolkit for your question.</source>
      <translation>“oracle”需要评测的标准段落。请为您的问题选择其他工具包。</translation>
    </message>
    <message>
      <source>“{0}” at {1} did not accept tools before. They are not offered today.</source>
      <translation>{1} 上的“{0}”此前拒绝了工具。今天不再提供。</translation>
    </message>
    <message>
      <source>“{0}” at {1} does not accept tools ({2}). Choose a model that supports tool calls, or start the server with tool calls enabled.</source>
      <translation>“{0}”（{1}）不接受工具（{2}）。请选择支持工具调用的模型，或启动服务器时启用工具调用。</translation>
    </message>
    <message>
      <source>“{0}” belongs to programs.</source>
      <translation>“{0}”属于程序。</translation>
    </message>
    <message>
      <source>“{0}” cannot be the name of an encoder: use letters, digits, dots, - and _ (--name).</source>
      <translation>“{0}”不能作为编码器的名称：请使用字母、数字、点、- 和 _（--name）。</translation>
    </message>
    <message>
      <source>“{0}” is a device, a pipe or a socket.</source>
      <translation>“{0}”是设备、管道或套接字。</translation>
    </message>
    <message>
      <source>“{0}” is a link; links are not followed, so that nothing is read twice.</source>
      <translation>“{0}”是链接；不跟随链接，以免重复读取。</translation>
    </message>
    <message>
      <source>“{0}” is hidden.</source>
      <translation>“{0}”是隐藏的。</translation>
    </message>
    <message>
      <source>“{0}” is no kind of answers. They are: text, date, amount, yes/no, one of A, B. “{1}: text” asks it as it is.</source>
      <translation>“{0}”不是答案类型。可用类型：text、date、amount、yes/no、one of A, B。写成“{1}: text”即按原样提问。</translation>
    </message>
    <message>
      <source>“{0}” is no object: edit the file by hand.</source>
      <translation>“{0}”不是对象，请手动编辑该文件。</translation>
    </message>
    <message>
      <source>“{0}” is no path.</source>
      <translation>“{0}”不是路径。</translation>
    </message>
    <message>
      <source>“{0}” is no team library: its documents are on this computer.</source>
      <translation>“{0}”不是团队资料库：其文档在此电脑上。</translation>
    </message>
    <message>
      <source>“{0}” is not a date; write 2024, 2024-03-15, today or last week.</source>
      <translation>“{0}”不是日期；请写 2024、2024-03-15、today 或 last week。</translation>
    </message>
    <message>
      <source>“{0}” is not an address. It should look like http://localhost:1234/v1.</source>
      <translation>“{0}”不是地址。它应像 http://localhost:1234/v1。</translation>
    </message>
    <message>
      <source>“{0}” is open in another window or command. Close it first.</source>
      <translation>“{0}”在另一个窗口或命令中打开。请先关闭它。</translation>
    </message>
    <message>
      <source>“{0}” may hold passwords or keys, and what is read can be quoted in an answer. To read it all the same, add the folder around it and the line “!{1}” to that folder's rules.</source>
      <translation>“{0}”可能含有密码或密钥，而读取的内容可能在答案中被引用。若仍要读取，请添加其所在文件夹，并在该文件夹的规则中加入一行“!{1}”。</translation>
    </message>
    <message>
      <source>“{0}” may hold passwords or keys.</source>
      <translation>“{0}”可能含有密码或密钥。</translation>
    </message>
    <message>
      <source>“{0}” names no folder. Write SERVER=HERE, such as //server/share=Z:\</source>
      <translation>“{0}”未指明文件夹。请写成 SERVER=HERE，例如 //server/share=Z:\</translation>
    </message>
    <message>
      <source>“{0}” needs 2 to {1} values to choose from: Law: one of German, English</source>
      <translation>“{0}”需要 2 到 {1} 个可选值：Law: one of German, English</translation>
    </message>
    <message>
      <source>… and {0} more</source>
      <translation>……以及另外 {0} 个</translation>
    </message>
  </context>
  <context>
    <name>Session</name>
    <message>
      <source>Bookmark deleted</source>
      <translation>书签已删除</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
  </context>
  <context>
    <name>Sessions</name>
    <message>
      <source>“{0}” is open in another window</source>
      <translation>“{0}”在另一个窗口中打开</translation>
    </message>
    <message>
      <source>“{0}” is open in another window, which does not answer.</source>
      <translation>“{0}”在另一个没有回应的窗口中打开。</translation>
    </message>
    <message>
      <source>“{0}” is still being answered</source>
      <translation>“{0}”仍在回答中</translation>
    </message>
  </context>
  <context>
    <name>SettingsControl</name>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
  </context>
  <context>
    <name>SettingsDialog</name>
    <message>
      <source>Answers</source>
      <translation>答案</translation>
    </message>
    <message>
      <source>Appearance</source>
      <translation>外观</translation>
    </message>
    <message>
      <source>Bring back the page as it was before the reset</source>
      <translation>恢复重置前的页面</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>Desktop</source>
      <translation>桌面</translation>
    </message>
    <message>
      <source>Diagnostics</source>
      <translation>诊断</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>放弃</translation>
    </message>
    <message>
      <source>Discard the changes?</source>
      <translation>放弃更改？</translation>
    </message>
    <message>
      <source>Editor</source>
      <translation>编辑器</translation>
    </message>
    <message>
      <source>Export settings…</source>
      <translation>导出设置…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Import settings…</source>
      <translation>导入设置…</translation>
    </message>
    <message>
      <source>Limits</source>
      <translation>限制</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>隐私</translation>
    </message>
    <message>
      <source>Programs</source>
      <translation>程序</translation>
    </message>
    <message>
      <source>Reset this page</source>
      <translation>重置此页</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Search by meaning</source>
      <translation>按含义搜索</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Shortcuts</source>
      <translation>快捷键</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>在文件夹中显示</translation>
    </message>
    <message>
      <source>The page is as it was.</source>
      <translation>此页已恢复原状。</translation>
    </message>
    <message>
      <source>This page has its usual values.</source>
      <translation>此页已是默认值。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>What you changed here is not saved.</source>
      <translation>您在此处所做的更改尚未保存。</translation>
    </message>
    <message>
      <source>When you save: {0}</source>
      <translation>保存后：{0}</translation>
    </message>
  </context>
  <context>
    <name>SettingsExchange</name>
    <message>
      <source>A second look by the model</source>
      <translation>由模型再看一遍</translation>
    </message>
    <message>
      <source>A statement without a source</source>
      <translation>没有来源的陈述</translation>
    </message>
    <message>
      <source>A value in this file cannot be used ({0}). Nothing was changed.</source>
      <translation>此文件中有一个值无法使用（{0}）。未做任何更改。</translation>
    </message>
    <message>
      <source>Accent colour of the system</source>
      <translation>系统强调色</translation>
    </message>
    <message>
      <source>Comfortable</source>
      <translation>宽松</translation>
    </message>
    <message>
      <source>Compact</source>
      <translation>紧凑</translation>
    </message>
    <message>
      <source>Context per request</source>
      <translation>每次请求的上下文</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <source>Dark paper for printed pages</source>
      <translation>印刷页面使用深色纸张</translation>
    </message>
    <message>
      <source>Density</source>
      <translation>密度</translation>
    </message>
    <message>
      <source>Each model in this file needs a name of its own. Nothing was changed.</source>
      <translation>此文件中的每个模型都需要各自的名称。未做任何更改。</translation>
    </message>
    <message>
      <source>Editor command</source>
      <translation>编辑器命令</translation>
    </message>
    <message>
      <source>Folder of the sentence encoder</source>
      <translation>句子编码器的文件夹</translation>
    </message>
    <message>
      <source>Folder of your notes</source>
      <translation>笔记文件夹</translation>
    </message>
    <message>
      <source>Icon in the tray</source>
      <translation>托盘图标</translation>
    </message>
    <message>
      <source>Key that opens the window from anywhere</source>
      <translation>在任何地方打开窗口的快捷键</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <source>Mark it</source>
      <translation>标记</translation>
    </message>
    <message>
      <source>Mask secrets in what is sent</source>
      <translation>遮盖发送内容中的机密</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>方法</translation>
    </message>
    <message>
      <source>Model “{0}”</source>
      <translation>模型“{0}”</translation>
    </message>
    <message>
      <source>Money per day</source>
      <translation>每天费用</translation>
    </message>
    <message>
      <source>Money per month</source>
      <translation>每月费用</translation>
    </message>
    <message>
      <source>Nothing moves by itself</source>
      <translation>无自动动画</translation>
    </message>
    <message>
      <source>Notifications</source>
      <translation>通知</translation>
    </message>
    <message>
      <source>Notifications with the question</source>
      <translation>包含问题的通知</translation>
    </message>
    <message>
      <source>Replace it with a note</source>
      <translation>替换为说明</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>与系统相同</translation>
    </message>
    <message>
      <source>Searches and reads</source>
      <translation>搜索和读取次数</translation>
    </message>
    <message>
      <source>Shortcut “{0}”</source>
      <translation>快捷键“{0}”</translation>
    </message>
    <message>
      <source>Size of the text in percent</source>
      <translation>文字大小（百分比）</translation>
    </message>
    <message>
      <source>Start when you log in</source>
      <translation>登录时启动</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>步骤</translation>
    </message>
    <message>
      <source>Suggested questions</source>
      <translation>建议的问题</translation>
    </message>
    <message>
      <source>The address of “{0}” in this file cannot be used. Nothing was changed.</source>
      <translation>此文件中“{0}”的地址无法使用。未做任何更改。</translation>
    </message>
    <message>
      <source>The value of “{0}” in this file cannot be used. Nothing was changed.</source>
      <translation>此文件中“{0}”的值无法使用。未做任何更改。</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>主题</translation>
    </message>
    <message>
      <source>This file does not contain exported settings.</source>
      <translation>此文件不包含导出的设置。</translation>
    </message>
    <message>
      <source>This file has more models or shortcuts than a person would make. Nothing was changed.</source>
      <translation>此文件中的模型或快捷键多得不合常理。未做任何更改。</translation>
    </message>
    <message>
      <source>This file is too large to be exported settings.</source>
      <translation>此文件太大，不是导出的设置。</translation>
    </message>
    <message>
      <source>This file names a method or a language that this version does not have.</source>
      <translation>此文件指定了本版本没有的方法或语言。</translation>
    </message>
    <message>
      <source>This file was made by a newer version of Desktop RAG. Update this one, then import again.</source>
      <translation>此文件由更新版本的 Desktop RAG 生成。请先更新本程序，再重新导入。</translation>
    </message>
    <message>
      <source>Time in seconds</source>
      <translation>时间（秒）</translation>
    </message>
    <message>
      <source>Tokens per run</source>
      <translation>每次运行的词元</translation>
    </message>
    <message>
      <source>Work offline</source>
      <translation>离线工作</translation>
    </message>
    <message>
      <source>as usual</source>
      <translation>默认</translation>
    </message>
    <message>
      <source>none</source>
      <translation>无</translation>
    </message>
    <message>
      <source>off</source>
      <translation>关</translation>
    </message>
    <message>
      <source>on</source>
      <translation>开</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}).</source>
      <translation>无法读取 {0}（{1}）。</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}). Choose another folder.</source>
      <translation>无法写入 {0}（{1}）。请选择其他文件夹。</translation>
    </message>
    <message>
      <source>{0}: {1} (new)</source>
      <translation>{0}：{1}（新）</translation>
    </message>
    <message>
      <source>{0}: {1} → {2}</source>
      <translation>{0}：{1} → {2}</translation>
    </message>
  </context>
  <context>
    <name>SettingsFiles</name>
    <message>
      <source>Export settings</source>
      <translation>导出设置</translation>
    </message>
    <message>
      <source>Import settings</source>
      <translation>导入设置</translation>
    </message>
    <message>
      <source>Saved as {0}, without keys</source>
      <translation>已保存为 {0}，不含密钥</translation>
    </message>
    <message>
      <source>Settings (*.json)</source>
      <translation>设置 (*.json)</translation>
    </message>
  </context>
  <context>
    <name>SettingsSearch</name>
    <message>
      <source>Find a setting</source>
      <translation>查找设置</translation>
    </message>
    <message>
      <source>No setting has this in its name or description.</source>
      <translation>没有设置的名称或说明包含此内容。</translation>
    </message>
    <message>
      <source>This is set for each model. Connect one first.</source>
      <translation>此项按模型设置。请先连接一个模型。</translation>
    </message>
  </context>
  <context>
    <name>SheetTable</name>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
  </context>
  <context>
    <name>SheetView</name>
    <message>
      <source>Cells</source>
      <translation>单元格</translation>
    </message>
    <message>
      <source>Content of the cell</source>
      <translation>单元格的内容</translation>
    </message>
    <message>
      <source>Sheets</source>
      <translation>工作表</translation>
    </message>
  </context>
  <context>
    <name>ShortcutsDialog</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation>按名称或按键筛选</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
  </context>
  <context>
    <name>ShortcutsPage</name>
    <message>
      <source>Commands</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Conflicts</source>
      <translation>冲突</translation>
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation>按名称或按键筛选</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>按键</translation>
    </message>
    <message>
      <source>No keys</source>
      <translation>无按键</translation>
    </message>
    <message>
      <source>Press the new keys in the field below.</source>
      <translation>请在下面的框中按新的按键。</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>重置</translation>
    </message>
    <message>
      <source>Reset all</source>
      <translation>全部重置</translation>
    </message>
    <message>
      <source>Select a command, then press its new keys in the field below.</source>
      <translation>选择一个命令，然后在下面的框中按新的按键。</translation>
    </message>
    <message>
      <source>These keys also belong to: {0}. Neither works until you change one.</source>
      <translation>这些按键也属于：{0}。更改其中一个之前都不起作用。</translation>
    </message>
  </context>
  <context>
    <name>ShownConversation</name>
    <message>
      <source>“{0}” cannot be opened, and was not attached.</source>
      <translation>无法打开“{0}”，未附加。</translation>
    </message>
  </context>
  <context>
    <name>SidePanel</name>
    <message>
      <source>Amounts</source>
      <translation>金额</translation>
    </message>
    <message>
      <source>Bookmarks and notes</source>
      <translation>书签和笔记</translation>
    </message>
    <message>
      <source>Dates</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>Defined terms</source>
      <translation>定义的术语</translation>
    </message>
    <message>
      <source>Guide</source>
      <translation>导览</translation>
    </message>
    <message>
      <source>Hide the side panel</source>
      <translation>隐藏侧栏</translation>
    </message>
    <message>
      <source>Matches</source>
      <translation>匹配</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Only the beginning of this long document was looked at.</source>
      <translation>只查看了这份长文档的开头部分。</translation>
    </message>
    <message>
      <source>Outline</source>
      <translation>大纲</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
  </context>
  <context>
    <name>SortBox</name>
    <message>
      <source>By folder</source>
      <translation>按文件夹</translation>
    </message>
    <message>
      <source>By name</source>
      <translation>按名称</translation>
    </message>
    <message>
      <source>By relevance</source>
      <translation>按相关性</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>最大的在前</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>最新的在前</translation>
    </message>
    <message>
      <source>Order of the results</source>
      <translation>结果的顺序</translation>
    </message>
  </context>
  <context>
    <name>SourceChips</name>
    <message numerus="yes">
      <source>+%Ln more</source>
      <translation>
        <numerusform>+%Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>Discard: do not use this</source>
      <translation>弃用：不要使用</translation>
    </message>
    <message>
      <source>Important: keep this</source>
      <translation>重要：保留</translation>
    </message>
    <message>
      <source>More like this</source>
      <translation>更多类似的</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation>
        <numerusform>再显示 %Ln 个来源</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SourceDelegate</name>
    <message>
      <source>not word for word</source>
      <translation>并非逐字</translation>
    </message>
  </context>
  <context>
    <name>SourceStatus</name>
    <message>
      <source>This passage speaks to a language model. The model was told that the words are part of the document.</source>
      <translation>这段文字是对语言模型说的。已告知模型：这些话是文档的一部分。</translation>
    </message>
    <message>
      <source>changed since this answer</source>
      <translation>答案之后已更改</translation>
    </message>
    <message>
      <source>contains instructions to a model</source>
      <translation>含有对模型的指令</translation>
    </message>
    <message>
      <source>its folder is not connected</source>
      <translation>其文件夹未连接</translation>
    </message>
    <message>
      <source>moved to {path}</source>
      <translation>已移至 {path}</translation>
    </message>
    <message>
      <source>no longer in your library</source>
      <translation>已不在您的资料库中</translation>
    </message>
  </context>
  <context>
    <name>SourcesList</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s) quoted</source>
      <translation>
        <numerusform>引用了 %Ln 段原文</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln source(s)</source>
      <translation>
        <numerusform>%Ln 个来源</numerusform>
      </translation>
    </message>
    <message>
      <source>Comparing with the cited lines…</source>
      <translation>正在与所引行对照…</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation>
        <numerusform>再显示 %Ln 个来源</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SourcesModel</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message>
      <source>Found, not read</source>
      <translation>找到，未读</translation>
    </message>
    <message>
      <source>Read, not cited</source>
      <translation>已读，未引用</translation>
    </message>
    <message numerus="yes">
      <source>cited %Ln time(s)</source>
      <translation>
        <numerusform>引用 %Ln 次</numerusform>
      </translation>
    </message>
    <message>
      <source>folded</source>
      <translation>已折叠</translation>
    </message>
    <message>
      <source>unfolded</source>
      <translation>已展开</translation>
    </message>
  </context>
  <context>
    <name>SourcesView</name>
    <message>
      <source>Open the source</source>
      <translation>打开来源</translation>
    </message>
    <message>
      <source>Sources of this answer</source>
      <translation>此答案的来源</translation>
    </message>
  </context>
  <context>
    <name>StandingControl</name>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Remove the question?</source>
      <translation>移除问题？</translation>
    </message>
    <message>
      <source>What has changed?</source>
      <translation>有何变化？</translation>
    </message>
    <message>
      <source>“{0}” is not looked at any more, and its answers are removed.</source>
      <translation>“{0}”将不再被关注，其回答会被移除。</translation>
    </message>
  </context>
  <context>
    <name>StandingDialog</name>
    <message>
      <source>A question</source>
      <translation>一个问题</translation>
    </message>
    <message>
      <source>Ask and keep</source>
      <translation>提问并保留</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>New standing question</source>
      <translation>新的长期问题</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Table: {0}</source>
      <translation>表格：{0}</translation>
    </message>
    <message>
      <source>What do you want to be told about?</source>
      <translation>您想了解什么？</translation>
    </message>
    <message>
      <source>What to keep</source>
      <translation>要保留的内容</translation>
    </message>
  </context>
  <context>
    <name>StandingPage</name>
    <message numerus="yes">
      <source>%Ln document(s) new or changed since {0}</source>
      <translation>
        <numerusform>自 {0} 以来有 %Ln 个文档新增或更改</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln new passage(s) since {0}</source>
      <translation>
        <numerusform>自 {0} 以来有 %Ln 个新段落</numerusform>
      </translation>
    </message>
    <message>
      <source>Answer of {0}</source>
      <translation>{0} 的回答</translation>
    </message>
    <message>
      <source>Fill the table</source>
      <translation>填写表格</translation>
    </message>
    <message>
      <source>Look now</source>
      <translation>立即查看</translation>
    </message>
    <message>
      <source>New question…</source>
      <translation>新问题…</translation>
    </message>
    <message>
      <source>Nothing new since {0}</source>
      <translation>自 {0} 以来没有新内容</translation>
    </message>
    <message>
      <source>Notify me</source>
      <translation>通知我</translation>
    </message>
    <message>
      <source>Of what was said before, the new passages say otherwise:</source>
      <translation>新段落与之前的这些说法不同：</translation>
    </message>
    <message>
      <source>Questions that stay</source>
      <translation>持续关注的问题</translation>
    </message>
    <message>
      <source>Remove the question…</source>
      <translation>移除问题…</translation>
    </message>
    <message>
      <source>Standing questions</source>
      <translation>长期问题</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>The last look failed: {0}</source>
      <translation>上次查找失败：{0}</translation>
    </message>
    <message>
      <source>These words of the answer stand in no document any more:</source>
      <translation>回答中的这些文字已不在任何文档中：</translation>
    </message>
    <message>
      <source>What changed from {0} to {1}</source>
      <translation>{0} 至 {1} 的变化</translation>
    </message>
    <message>
      <source>What has changed?</source>
      <translation>有何变化？</translation>
    </message>
    <message>
      <source>When documents are added or changed, only these are searched, and you see what is new.</source>
      <translation>文档新增或更改时，只搜索这些文档，并告诉您有何新内容。</translation>
    </message>
    <message>
      <source>the last look failed</source>
      <translation>上次查找失败</translation>
    </message>
  </context>
  <context>
    <name>StatisticsView</name>
    <message>
      <source>Backups</source>
      <translation>备份</translation>
    </message>
    <message>
      <source>Conversations</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Files by state</source>
      <translation>按状态列出的文件</translation>
    </message>
    <message>
      <source>Languages</source>
      <translation>语言</translation>
    </message>
    <message>
      <source>Meaning index</source>
      <translation>含义索引</translation>
    </message>
    <message>
      <source>No language</source>
      <translation>无语言</translation>
    </message>
    <message>
      <source>On your disk</source>
      <translation>在您的磁盘上</translation>
    </message>
    <message>
      <source>Others</source>
      <translation>其他</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>页数</translation>
    </message>
    <message>
      <source>Searchable</source>
      <translation>可搜索</translation>
    </message>
    <message>
      <source>Size of files</source>
      <translation>文件大小</translation>
    </message>
    <message>
      <source>Statistics</source>
      <translation>统计</translation>
    </message>
    <message>
      <source>Texts (catalog)</source>
      <translation>文本（目录）</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>合计</translation>
    </message>
    <message>
      <source>Types</source>
      <translation>类型</translation>
    </message>
    <message>
      <source>Word index</source>
      <translation>词语索引</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>词数</translation>
    </message>
  </context>
  <context>
    <name>StepSlider</name>
    <message>
      <source>Ask again from here…</source>
      <translation>从这里重新提问…</translation>
    </message>
    <message>
      <source>Show the next step</source>
      <translation>显示下一步</translation>
    </message>
    <message>
      <source>Show the step before</source>
      <translation>显示上一步</translation>
    </message>
    <message>
      <source>Step shown</source>
      <translation>显示的步骤</translation>
    </message>
    <message>
      <source>Step {number} of {count}</source>
      <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
      <source>{0} cached</source>
      <translation>{0} 来自缓存</translation>
    </message>
    <message>
      <source>{0} thinking</source>
      <translation>{0} 思考</translation>
    </message>
  </context>
  <context>
    <name>StoredPassage</name>
    <message>
      <source>As it was then</source>
      <translation>当时的样子</translation>
    </message>
    <message>
      <source>The passage as it was then</source>
      <translation>当时的段落</translation>
    </message>
    <message>
      <source>What has changed</source>
      <translation>更改了什么</translation>
    </message>
    <message>
      <source>What has changed in it</source>
      <translation>其中更改了什么</translation>
    </message>
  </context>
  <context>
    <name>StoryRows</name>
    <message numerus="yes">
      <source>%Ln earlier row(s)</source>
      <translation>
        <numerusform>之前的 %Ln 行</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>TabHeader</name>
    <message>
      <source>Bookmark this passage</source>
      <translation>为这一段加书签</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>复制引文和出处</translation>
    </message>
    <message>
      <source>Open elsewhere, copy, add a note</source>
      <translation>在别处打开、复制、添加笔记</translation>
    </message>
  </context>
  <context>
    <name>TabStrip</name>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Close the others</source>
      <translation>关闭其他文档</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>复制路径</translation>
    </message>
    <message>
      <source>Open documents</source>
      <translation>打开的文档</translation>
    </message>
    <message>
      <source>Preview; double-click to keep it open</source>
      <translation>预览；双击可保持打开</translation>
    </message>
  </context>
  <context>
    <name>TableControl</name>
    <message>
      <source>Correct</source>
      <translation>更正</translation>
    </message>
    <message>
      <source>Correct “{0}”</source>
      <translation>更正“{0}”</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>Delete the table?</source>
      <translation>删除表格？</translation>
    </message>
    <message>
      <source>Export the table</source>
      <translation>导出表格</translation>
    </message>
    <message>
      <source>Found in the document: {0}</source>
      <translation>在文档中找到：{0}</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>Rename the table</source>
      <translation>重命名表格</translation>
    </message>
    <message>
      <source>Table saved to {0}</source>
      <translation>表格已保存到 {0}</translation>
    </message>
    <message>
      <source>“{0}” and all its cells are deleted. The documents stay.</source>
      <translation>“{0}”及其所有单元格将被删除。文档会保留。</translation>
    </message>
  </context>
  <context>
    <name>TableDialog</name>
    <message>
      <source>Add a question</source>
      <translation>添加问题</translation>
    </message>
    <message>
      <source>Change</source>
      <translation>更改</translation>
    </message>
    <message>
      <source>Change the columns</source>
      <translation>更改列</translation>
    </message>
    <message>
      <source>Make the table</source>
      <translation>创建表格</translation>
    </message>
    <message>
      <source>Name of the table</source>
      <translation>表格名称</translation>
    </message>
    <message>
      <source>Name of the table; empty: its questions</source>
      <translation>表格名称；留空则用其问题</translation>
    </message>
    <message>
      <source>New table</source>
      <translation>新建表格</translation>
    </message>
    <message>
      <source>Shared by these documents:</source>
      <translation>这些文档共有：</translation>
    </message>
  </context>
  <context>
    <name>TableModel</name>
    <message>
      <source>({0} left out)</source>
      <translation>（{0} 个未计入）</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>文档</translation>
    </message>
  </context>
  <context>
    <name>TablePage</name>
    <message>
      <source>All rows</source>
      <translation>所有行</translation>
    </message>
    <message>
      <source>Ask again</source>
      <translation>重新提问</translation>
    </message>
    <message>
      <source>Ask the same questions of many documents</source>
      <translation>向许多文档提出相同的问题</translation>
    </message>
    <message>
      <source>By {0}</source>
      <translation>按 {0}</translation>
    </message>
    <message>
      <source>Change the columns…</source>
      <translation>更改列…</translation>
    </message>
    <message>
      <source>Changed since</source>
      <translation>此后有更改</translation>
    </message>
    <message>
      <source>Corrected</source>
      <translation>已更正</translation>
    </message>
    <message>
      <source>Correct…</source>
      <translation>更正…</translation>
    </message>
    <message>
      <source>Delete the table…</source>
      <translation>删除表格…</translation>
    </message>
    <message>
      <source>Doubtful</source>
      <translation>存疑</translation>
    </message>
    <message>
      <source>Export as CSV…</source>
      <translation>导出为 CSV…</translation>
    </message>
    <message>
      <source>Export as Excel workbook…</source>
      <translation>导出为 Excel 工作簿…</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>导出为 Markdown…</translation>
    </message>
    <message>
      <source>Fill</source>
      <translation>填写</translation>
    </message>
    <message>
      <source>Filter the rows</source>
      <translation>筛选行</translation>
    </message>
    <message>
      <source>Groups</source>
      <translation>分组</translation>
    </message>
    <message>
      <source>New table…</source>
      <translation>新建表格…</translation>
    </message>
    <message>
      <source>No cell is selected</source>
      <translation>未选择单元格</translation>
    </message>
    <message>
      <source>No groups</source>
      <translation>不分组</translation>
    </message>
    <message>
      <source>Not answered</source>
      <translation>未回答</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>On a table</source>
      <translation>表格中</translation>
    </message>
    <message>
      <source>Open the line</source>
      <translation>打开该行</translation>
    </message>
    <message>
      <source>Remove from the table</source>
      <translation>从表格中移除</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Rows are documents, columns are your questions; each value is proven by its line.</source>
      <translation>行是文档，列是您的问题；每个值都由原文的行来证明。</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>保存到笔记</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Tables</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Take the correction back</source>
      <translation>撤销更正</translation>
    </message>
    <message>
      <source>Which rows</source>
      <translation>哪些行</translation>
    </message>
  </context>
  <context>
    <name>TableWording</name>
    <message>
      <source>Amount</source>
      <translation>数额</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>One of</source>
      <translation>其中之一</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>Yes or no</source>
      <translation>是或否</translation>
    </message>
    <message>
      <source>asking…</source>
      <translation>正在提问…</translation>
    </message>
    <message>
      <source>corrected by hand</source>
      <translation>手动更正</translation>
    </message>
    <message>
      <source>doubtful</source>
      <translation>存疑</translation>
    </message>
    <message>
      <source>found: {0}</source>
      <translation>找到：{0}</translation>
    </message>
    <message>
      <source>no</source>
      <translation>否</translation>
    </message>
    <message>
      <source>no answer</source>
      <translation>没有回答</translation>
    </message>
    <message>
      <source>not asked yet</source>
      <translation>尚未提问</translation>
    </message>
    <message>
      <source>not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>not found without a model</source>
      <translation>未使用模型时未找到</translation>
    </message>
    <message>
      <source>not in this document</source>
      <translation>此文档中没有</translation>
    </message>
    <message>
      <source>the document has changed since</source>
      <translation>文档此后有更改</translation>
    </message>
    <message>
      <source>the document is gone</source>
      <translation>文档已不存在</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>是</translation>
    </message>
    <message>
      <source>{0} of {1} cells</source>
      <translation>{0}/{1} 个单元格</translation>
    </message>
    <message>
      <source>“{0}”</source>
      <translation>“{0}”</translation>
    </message>
  </context>
  <context>
    <name>TagsDialog</name>
    <message>
      <source>For example: taxes 2024</source>
      <translation>例如：税务 2024</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Separate tags by spaces. In the search field of the conversations, tag:name finds them.</source>
      <translation>用空格分隔标签。在对话搜索框中用 tag:名称 查找。</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>标签</translation>
    </message>
  </context>
  <context>
    <name>TeamControl</name>
    <message>
      <source>Something went wrong: {0}</source>
      <translation>出现问题：{0}</translation>
    </message>
  </context>
  <context>
    <name>TeamLibraryDialog</name>
    <message>
      <source>Access key</source>
      <translation>访问密钥</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>Add team library</source>
      <translation>添加团队资料库</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>All files (*)</source>
      <translation>所有文件 (*)</translation>
    </message>
    <message>
      <source>As before</source>
      <translation>保持不变</translation>
    </message>
    <message>
      <source>Asking the server…</source>
      <translation>正在询问服务器…</translation>
    </message>
    <message>
      <source>Certificate</source>
      <translation>证书</translation>
    </message>
    <message>
      <source>Certificate of the server's authority</source>
      <translation>服务器证书颁发机构的证书</translation>
    </message>
    <message>
      <source>Certificates (*.pem *.crt *.cer)</source>
      <translation>证书 (*.pem *.crt *.cer)</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Drive with its files, to see pages</source>
      <translation>存放其文件的驱动器，用于查看页面</translation>
    </message>
    <message>
      <source>Edit team library</source>
      <translation>编辑团队资料库</translation>
    </message>
    <message>
      <source>For example: Office</source>
      <translation>例如：办公室</translation>
    </message>
    <message>
      <source>For example: {0}</source>
      <translation>例如：{0}</translation>
    </message>
    <message>
      <source>If the system lacks it</source>
      <translation>如果系统没有它</translation>
    </message>
    <message>
      <source>Its secret</source>
      <translation>密钥的密文</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>No keychain: start the program with it in the environment</source>
      <translation>没有钥匙串：请在环境变量中提供后启动程序</translation>
    </message>
    <message>
      <source>Or a store (S3) with its files</source>
      <translation>或存有其文件的存储（S3）</translation>
    </message>
    <message>
      <source>Password of the key, if it has one</source>
      <translation>密钥的密码（如有）</translation>
    </message>
    <message>
      <source>Password, kept in the keychain</source>
      <translation>密码，保存在钥匙串中</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Sign in with</source>
      <translation>登录方式</translation>
    </message>
    <message>
      <source>The certificate and its key in one file</source>
      <translation>证书及其密钥在同一文件中</translation>
    </message>
    <message>
      <source>The documents stay on the server; your conversations and notes stay on this computer.</source>
      <translation>文档保留在服务器上；您的对话和笔记保留在此电脑上。</translation>
    </message>
    <message>
      <source>Token</source>
      <translation>令牌</translation>
    </message>
    <message>
      <source>Token, kept in the keychain</source>
      <translation>令牌，保存在钥匙串中</translation>
    </message>
    <message>
      <source>User</source>
      <translation>用户</translation>
    </message>
    <message>
      <source>User and password</source>
      <translation>用户和密码</translation>
    </message>
    <message>
      <source>Your certificate and its key</source>
      <translation>您的证书及其密钥</translation>
    </message>
  </context>
  <context>
    <name>TextPane</name>
    <message>
      <source>Position in the document</source>
      <translation>在文档中的位置</translation>
    </message>
  </context>
  <context>
    <name>Thumbnails</name>
    <message>
      <source>Pages</source>
      <translation>页面</translation>
    </message>
  </context>
  <context>
    <name>TimeLeft</name>
    <message>
      <source>a few seconds</source>
      <translation>几秒钟</translation>
    </message>
    <message>
      <source>about a day or more</source>
      <translation>约一天或更久</translation>
    </message>
    <message>
      <source>about a minute</source>
      <translation>约一分钟</translation>
    </message>
    <message>
      <source>about a quarter of an hour</source>
      <translation>约一刻钟</translation>
    </message>
    <message>
      <source>about an hour</source>
      <translation>约一小时</translation>
    </message>
    <message>
      <source>about half a minute</source>
      <translation>约半分钟</translation>
    </message>
    <message>
      <source>about half an hour</source>
      <translation>约半小时</translation>
    </message>
    <message>
      <source>about {0} hours</source>
      <translation>约 {0} 小时</translation>
    </message>
    <message>
      <source>about {0} minutes</source>
      <translation>约 {0} 分钟</translation>
    </message>
  </context>
  <context>
    <name>Timeline</name>
    <message>
      <source>Answered in {time}</source>
      <translation>用时 {time} 回答</translation>
    </message>
    <message>
      <source>Checking whether the server read the whole question</source>
      <translation>正在检查服务器是否读取了整个问题</translation>
    </message>
    <message>
      <source>Comparing with the cited lines</source>
      <translation>正在与所引行对照</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>Loading the model: {0}</source>
      <translation>正在加载模型：{0}</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <source>Queued: begins when another answer is finished</source>
      <translation>排队中：另一个答案完成后开始</translation>
    </message>
    <message>
      <source>Searched for {time}</source>
      <translation>搜索用时 {time}</translation>
    </message>
    <message>
      <source>Steps of this run</source>
      <translation>此运行的步骤</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>Stopped after {time}</source>
      <translation>{time}后停止</translation>
    </message>
    <message>
      <source>The model asks to wait: {0}</source>
      <translation>模型要求等待：{0}</translation>
    </message>
    <message>
      <source>The model reads the question and what was found: {0} of {1}</source>
      <translation>模型正在读取问题和找到的内容：{0}，共 {1}</translation>
    </message>
    <message>
      <source>The model reads the question and what was found: {0} of {1}, about {2} left</source>
      <translation>模型正在读取问题和找到的内容：{1} 的 {0}，约剩 {2}</translation>
    </message>
    <message>
      <source>Thinking</source>
      <translation>正在思考</translation>
    </message>
    <message>
      <source>Trying again</source>
      <translation>正在重试</translation>
    </message>
    <message>
      <source>Waiting for the model's first words</source>
      <translation>正在等待模型的第一个词</translation>
    </message>
    <message>
      <source>Waiting for your decision</source>
      <translation>等待您的决定</translation>
    </message>
    <message>
      <source>Waiting for your decision: {0}</source>
      <translation>等待您的决定：{0}</translation>
    </message>
    <message>
      <source>Waiting: the model is writing another answer</source>
      <translation>等待中：模型正在写另一个回答</translation>
    </message>
    <message>
      <source>Writing the answer</source>
      <translation>正在写答案</translation>
    </message>
    <message>
      <source>{1}. Trying again in {0}</source>
      <translation>{1}。{0}后重试</translation>
    </message>
  </context>
  <context>
    <name>TimelineHeader</name>
    <message>
      <source>Hides the steps of this run</source>
      <translation>隐藏此运行的步骤</translation>
    </message>
    <message>
      <source>Shows the steps of this run</source>
      <translation>显示此运行的步骤</translation>
    </message>
  </context>
  <context>
    <name>Toast</name>
    <message>
      <source>Close this note</source>
      <translation>关闭此提示</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
  </context>
  <context>
    <name>TokenMeter</name>
    <message numerus="yes">
      <source>%Ln result(s) left the context to make room</source>
      <translation>
        <numerusform>为腾出空间，%Ln 个结果移出了上下文</numerusform>
      </translation>
    </message>
    <message>
      <source>Context: {used}</source>
      <translation>上下文：{used}</translation>
    </message>
    <message>
      <source>Money of this run</source>
      <translation>此运行的费用</translation>
    </message>
    <message>
      <source>Money this month</source>
      <translation>本月费用</translation>
    </message>
    <message>
      <source>Money today</source>
      <translation>今天费用</translation>
    </message>
    <message>
      <source>No run yet</source>
      <translation>还没有运行</translation>
    </message>
    <message>
      <source>The answer was cut off: the room kept for it was full</source>
      <translation>答案被截断：为它保留的空间已满</translation>
    </message>
    <message>
      <source>The context is nearly full</source>
      <translation>上下文快满了</translation>
    </message>
    <message>
      <source>This run: {tokens}</source>
      <translation>此运行：{tokens}</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>词元</translation>
    </message>
    <message>
      <source>{amount} of {limit}</source>
      <translation>{amount} / {limit}</translation>
    </message>
    <message>
      <source>~ means estimated: the model reports no token counts</source>
      <translation>~ 表示估计值：模型不报告 token 数</translation>
    </message>
  </context>
  <context>
    <name>ToolRow</name>
    <message>
      <source>Find in this document</source>
      <translation>在此文档中查找</translation>
    </message>
    <message>
      <source>Outline, pages, matches, bookmarks</source>
      <translation>大纲、页面、匹配、书签</translation>
    </message>
    <message>
      <source>Wrap long lines</source>
      <translation>长行换行</translation>
    </message>
  </context>
  <context>
    <name>Tour</name>
    <message>
      <source>A click on this line shows each search and each page that was read, also while it runs.</source>
      <translation>点击此行可显示每次搜索和读过的每一页，运行时也可以。</translation>
    </message>
    <message>
      <source>Add them and begin</source>
      <translation>添加并开始</translation>
    </message>
    <message>
      <source>All files, and their problems</source>
      <translation>所有文件及其问题</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Ask in your own words. A question about the sample documents is already written here.</source>
      <translation>用您自己的话提问。这里已写好一个关于示例文档的问题。</translation>
    </message>
    <message>
      <source>Ask it</source>
      <translation>提问</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Drop a folder or a file anywhere on the window and it appears here. Words can be found first, meaning follows. A right click pauses, explains, or sets rules.</source>
      <translation>将文件夹或文件拖到窗口任意位置，它就会出现在这里。先能找到词语，然后是含义。右键可暂停、解释或设置规则。</translation>
    </message>
    <message>
      <source>Every claim has its source</source>
      <translation>每条说法都有来源</translation>
    </message>
    <message>
      <source>How it was found</source>
      <translation>如何找到的</translation>
    </message>
    <message>
      <source>Lists every file, what could not be read, and why. Beside your own folders, the sample of this tour is removed at its end; else select “sample” above and press Del.</source>
      <translation>列出每个文件、哪些无法读取以及原因。如果您有自己的文件夹，本导览的示例会在结束时移除；否则请在上方选择“sample”并按 Del。</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>下一步</translation>
    </message>
    <message>
      <source>Sample documents</source>
      <translation>示例文档</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Searches every word of every file while you type. Quotation marks, NOT and fields such as from: work too; the page explains them.</source>
      <translation>边输入边搜索每个文件的每个词。引号、NOT 和 from: 等字段也可用；页面上有说明。</translation>
    </message>
    <message>
      <source>The answer grows here. Click a number such as [1]: the document opens at the very words. Statements without a source are marked.</source>
      <translation>答案在这里生成。点击 [1] 这样的编号：文档会在那些文字处打开。没有来源的陈述会被标记。</translation>
    </message>
    <message>
      <source>The tour asks about a few sample documents, which are added to your library. If it has folders of your own, they leave it at the end of the tour.</source>
      <translation>导览会就几份示例文档提问，这些文档会添加到您的资料库。如果其中有您自己的文件夹，导览结束时会移除示例文档。</translation>
    </message>
    <message>
      <source>Tour, {0} of {1}</source>
      <translation>导览，{0} / {1}</translation>
    </message>
    <message>
      <source>Your folders</source>
      <translation>您的文件夹</translation>
    </message>
  </context>
  <context>
    <name>TourCard</name>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Leave the tour</source>
      <translation>离开导览</translation>
    </message>
  </context>
  <context>
    <name>TrayIcon</name>
    <message>
      <source>New question</source>
      <translation>新问题</translation>
    </message>
    <message>
      <source>Open Desktop RAG</source>
      <translation>打开 Desktop RAG</translation>
    </message>
    <message>
      <source>Pause reading</source>
      <translation>暂停读取</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <source>Resume reading</source>
      <translation>继续读取</translation>
    </message>
  </context>
  <context>
    <name>TurnView</name>
    <message numerus="yes">
      <source>%Ln passage(s) read</source>
      <translation>
        <numerusform>已读 %Ln 段</numerusform>
      </translation>
    </message>
    <message>
      <source>A language model can do this</source>
      <translation>语言模型可以做到</translation>
    </message>
    <message>
      <source>A limit ended the search</source>
      <translation>限制终止了搜索</translation>
    </message>
    <message>
      <source>Add a folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>After this step: {passages}, {documents}.</source>
      <translation>此步之后：{passages}，{documents}。</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>再次回答</translation>
    </message>
    <message>
      <source>Answer now</source>
      <translation>现在回答</translation>
    </message>
    <message>
      <source>Answer with the built-in passages</source>
      <translation>用内置段落回答</translation>
    </message>
    <message>
      <source>Ask again</source>
      <translation>重新提问</translation>
    </message>
    <message>
      <source>Ask again from a step…</source>
      <translation>从某一步重新提问…</translation>
    </message>
    <message>
      <source>Ask again with twice the room</source>
      <translation>用两倍空间重新提问</translation>
    </message>
    <message>
      <source>Ask now</source>
      <translation>现在提问</translation>
    </message>
    <message>
      <source>Branch from here</source>
      <translation>从这里分支</translation>
    </message>
    <message>
      <source>Compare the marked statements with the lines that they cite.</source>
      <translation>请把标出的陈述与它们引用的行对照。</translation>
    </message>
    <message>
      <source>Compare with another run…</source>
      <translation>与另一次运行比较…</translation>
    </message>
    <message>
      <source>Connect a model…</source>
      <translation>连接模型…</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Continue from here</source>
      <translation>从这里继续</translation>
    </message>
    <message>
      <source>Continue searching</source>
      <translation>继续搜索</translation>
    </message>
    <message>
      <source>Copy as Markdown</source>
      <translation>复制为 Markdown</translation>
    </message>
    <message>
      <source>Copy as plain text</source>
      <translation>复制为纯文本</translation>
    </message>
    <message>
      <source>Copy the answer</source>
      <translation>复制答案</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Interrupted</source>
      <translation>已中断</translation>
    </message>
    <message>
      <source>More about this run</source>
      <translation>关于此运行的更多</translation>
    </message>
    <message numerus="yes">
      <source>No answer found in the %Ln document(s) chosen</source>
      <translation>
        <numerusform>在所选的 %Ln 个文档中未找到答案</numerusform>
      </translation>
    </message>
    <message>
      <source>No answer found in your library</source>
      <translation>在您的资料库中未找到答案</translation>
    </message>
    <message>
      <source>No source named</source>
      <translation>未注明出处</translation>
    </message>
    <message>
      <source>Not found in the cited lines</source>
      <translation>在所引行中没有找到</translation>
    </message>
    <message>
      <source>Nothing was written yet.</source>
      <translation>还没有写任何内容。</translation>
    </message>
    <message>
      <source>Open settings</source>
      <translation>打开设置</translation>
    </message>
    <message>
      <source>Quote what was found</source>
      <translation>引用已找到的内容</translation>
    </message>
    <message>
      <source>Retry now</source>
      <translation>立即重试</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>保存到笔记</translation>
    </message>
    <message>
      <source>Search again, without the model</source>
      <translation>不用模型再次搜索</translation>
    </message>
    <message>
      <source>Search all documents</source>
      <translation>搜索所有文档</translation>
    </message>
    <message>
      <source>Search further?</source>
      <translation>继续搜索？</translation>
    </message>
    <message>
      <source>Spend more than your limit?</source>
      <translation>超出您的限制吗？</translation>
    </message>
    <message>
      <source>The answer uses what was found until then.</source>
      <translation>答案使用到那时找到的内容。</translation>
    </message>
    <message>
      <source>The answer was cut off</source>
      <translation>答案被截断</translation>
    </message>
    <message>
      <source>The built-in model only quotes your documents.</source>
      <translation>内置模型只引用您的文档。</translation>
    </message>
    <message>
      <source>The cited lines seem to say otherwise</source>
      <translation>所引行的说法似乎不同</translation>
    </message>
    <message>
      <source>The documents that were searched do not answer this. Try other words.</source>
      <translation>搜索过的文档没有回答这个问题。请换用其他词语。</translation>
    </message>
    <message>
      <source>The model named no source for this answer.</source>
      <translation>模型没有为此答案注明出处。</translation>
    </message>
    <message>
      <source>The program ended before the answer was complete.</source>
      <translation>程序在答案完成前结束。</translation>
    </message>
    <message>
      <source>The program ended before this question was asked.</source>
      <translation>程序在提出此问题前结束。</translation>
    </message>
    <message>
      <source>The request is repeated by itself when the time is over.</source>
      <translation>时间到后会自动重新请求。</translation>
    </message>
    <message>
      <source>The room kept for it was full, so the model could not end it.</source>
      <translation>为它保留的空间已满，因此模型无法写完。</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>重试</translation>
    </message>
    <message>
      <source>What was written so far is kept.</source>
      <translation>到目前为止写的内容已保留。</translation>
    </message>
    <message>
      <source>You stopped this run</source>
      <translation>您停止了此运行</translation>
    </message>
    <message>
      <source>{0} Nothing was written yet.</source>
      <translation>{0} 还没有写任何内容。</translation>
    </message>
  </context>
  <context>
    <name>UpdateDialog</name>
    <message>
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <source>Asking…</source>
      <translation>正在询问…</translation>
    </message>
    <message>
      <source>Check for updates</source>
      <translation>检查更新</translation>
    </message>
    <message>
      <source>Check now</source>
      <translation>立即检查</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>Notes and files of the release</source>
      <translation>版本说明和文件</translation>
    </message>
    <message>
      <source>Open its page</source>
      <translation>打开其网页</translation>
    </message>
    <message>
      <source>The address cannot be reached: {0}</source>
      <translation>无法连接该地址：{0}</translation>
    </message>
    <message>
      <source>The address sends the question on to another one, which is not followed: {0}</source>
      <translation>该地址重定向到另一个地址，程序不会跟随：{0}</translation>
    </message>
    <message>
      <source>The answer is no list of releases of Desktop RAG.</source>
      <translation>答复不是 Desktop RAG 的版本列表。</translation>
    </message>
    <message>
      <source>The answer is too large for a list of releases; it was not read.</source>
      <translation>答复过大，不是版本列表；未读取。</translation>
    </message>
    <message>
      <source>The list of releases is made for a later version than yours. Look at its web page.</source>
      <translation>版本列表适用于比您更新的版本。请查看其网页。</translation>
    </message>
    <message>
      <source>The server answered with the error {0}.</source>
      <translation>服务器返回错误 {0}。</translation>
    </message>
    <message>
      <source>This is no usable address: it must begin with https:// and contain no password.</source>
      <translation>该地址不可用：必须以 https:// 开头，且不得包含密码。</translation>
    </message>
    <message>
      <source>Version {0} of {1} is available. Nothing was downloaded.</source>
      <translation>版本 {0}（{1}）已可用。未下载任何内容。</translation>
    </message>
    <message>
      <source>Whoever gave you the program can tell you the address. It is asked when you press the button, and at no other time. It learns your network address and nothing else. Nothing is downloaded by itself.</source>
      <translation>向您提供本程序的人可以告知该地址。只有按下按钮时才会询问它，其他时候绝不会。它只得知您的网络地址。不会自动下载任何内容。</translation>
    </message>
    <message>
      <source>You have the newest version. The address knows version {0} of {1}.</source>
      <translation>您使用的是最新版本。该地址提供的版本是 {0}（{1}）。</translation>
    </message>
    <message>
      <source>Your version</source>
      <translation>您的版本</translation>
    </message>
    <message>
      <source>{0} ({1})
SHA-256 {2}</source>
      <translation>{0}（{1}）
SHA-256 {2}</translation>
    </message>
  </context>
  <context>
    <name>VariantSwitch</name>
    <message>
      <source>Next variant</source>
      <translation>下一个变体</translation>
    </message>
    <message>
      <source>Previous variant</source>
      <translation>上一个变体</translation>
    </message>
    <message>
      <source>Variant {place} of {count}</source>
      <translation>变体 {place} / {count}</translation>
    </message>
    <message>
      <source>Variants of this question</source>
      <translation>此问题的变体</translation>
    </message>
  </context>
  <context>
    <name>ViewChoice</name>
    <message>
      <source>Page</source>
      <translation>页面</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>阅读</translation>
    </message>
    <message>
      <source>Show it as a clean page</source>
      <translation>显示为整洁页面</translation>
    </message>
    <message>
      <source>Show it as a table</source>
      <translation>显示为表格</translation>
    </message>
    <message>
      <source>Show the lines of the file</source>
      <translation>显示文件的各行</translation>
    </message>
    <message>
      <source>Show the printed pages</source>
      <translation>显示印刷页面</translation>
    </message>
    <message>
      <source>Show the text that was read from it</source>
      <translation>显示从中读取的文本</translation>
    </message>
    <message>
      <source>Source</source>
      <translation>源文本</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>文本</translation>
    </message>
  </context>
  <context>
    <name>ViewerPanel</name>
    <message>
      <source>Add a note</source>
      <translation>添加笔记</translation>
    </message>
    <message>
      <source>Back to where you were</source>
      <translation>回到之前的位置</translation>
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation>为这一段加书签</translation>
    </message>
    <message>
      <source>Close the document</source>
      <translation>关闭文档</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>复制引文和出处</translation>
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation>删除书签</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Edit the note</source>
      <translation>编辑笔记</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>Forward again</source>
      <translation>再次前进</translation>
    </message>
    <message>
      <source>In a document</source>
      <translation>在文档中</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Next citation of the answer</source>
      <translation>答案的下一个引用</translation>
    </message>
    <message>
      <source>Next document</source>
      <translation>下一个文档</translation>
    </message>
    <message>
      <source>Next match</source>
      <translation>下一个匹配</translation>
    </message>
    <message>
      <source>No document is open</source>
      <translation>没有打开的文档</translation>
    </message>
    <message>
      <source>On a selected bookmark</source>
      <translation>对所选书签</translation>
    </message>
    <message>
      <source>Open a source of an answer to read it here.</source>
      <translation>打开答案的来源即可在此阅读。</translation>
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation>在我的编辑器中打开此行</translation>
    </message>
    <message>
      <source>Outline, pages, matches</source>
      <translation>大纲、页面、匹配</translation>
    </message>
    <message>
      <source>Previous citation of the answer</source>
      <translation>答案的上一个引用</translation>
    </message>
    <message>
      <source>Previous document</source>
      <translation>上一个文档</translation>
    </message>
    <message>
      <source>Previous match</source>
      <translation>上一个匹配</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>Usual size</source>
      <translation>正常大小</translation>
    </message>
  </context>
  <context>
    <name>WelcomeView</name>
    <message>
      <source>Add a folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Ask your documents</source>
      <translation>向您的文档提问</translation>
    </message>
    <message>
      <source>Connect a model</source>
      <translation>连接模型</translation>
    </message>
    <message>
      <source>Connect its disk, or choose another library.</source>
      <translation>请连接其磁盘，或选择其他资料库。</translation>
    </message>
    <message>
      <source>Drop one anywhere on this window. You can search it within seconds.</source>
      <translation>拖到此窗口任意位置。几秒钟后即可搜索。</translation>
    </message>
    <message>
      <source>Every answer cites the lines it is based on. Click a number to see them.</source>
      <translation>每个答案都引用其依据的行。点击编号即可查看。</translation>
    </message>
    <message>
      <source>Newest documents</source>
      <translation>最新文档</translation>
    </message>
    <message>
      <source>No model is connected, so answers are quotes from your documents.</source>
      <translation>未连接模型，因此答案是您文档中的引文。</translation>
    </message>
    <message>
      <source>Opening your library</source>
      <translation>正在打开您的资料库</translation>
    </message>
    <message>
      <source>Questions that your documents answer</source>
      <translation>您的文档能回答的问题</translation>
    </message>
    <message>
      <source>Reading waits; the button at the foot of the library goes on with it.</source>
      <translation>读取正在等待；资料库底部的按钮可让它继续。</translation>
    </message>
    <message>
      <source>Reading your documents</source>
      <translation>正在读取您的文档</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>最近的文档</translation>
    </message>
    <message>
      <source>Start with a folder</source>
      <translation>从一个文件夹开始</translation>
    </message>
    <message>
      <source>This library cannot be found</source>
      <translation>找不到此资料库</translation>
    </message>
    <message>
      <source>You can ask as soon as the first of them is read.</source>
      <translation>第一份读完后即可提问。</translation>
    </message>
    <message>
      <source>Your documents are not read yet</source>
      <translation>您的文档尚未读取</translation>
    </message>
  </context>
  <context>
    <name>WhyDialog</name>
    <message>
      <source>A file or folder; drop it here</source>
      <translation>文件或文件夹；可拖到这里</translation>
    </message>
    <message>
      <source>Choose a file</source>
      <translation>选择文件</translation>
    </message>
    <message>
      <source>Choose a file, or drop one here, to see why it is found or not.</source>
      <translation>选择文件，或将其拖到这里，查看为什么找得到或找不到。</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选择…</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>File or folder</source>
      <translation>文件或文件夹</translation>
    </message>
    <message>
      <source>Read it again now</source>
      <translation>现在重新读取</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>Search words (optional)</source>
      <translation>搜索词（可选）</translation>
    </message>
    <message>
      <source>Show in the document</source>
      <translation>在文档中显示</translation>
    </message>
    <message>
      <source>Which file?</source>
      <translation>哪个文件？</translation>
    </message>
    <message>
      <source>Why is a file found or not?</source>
      <translation>为什么文件找得到或找不到？</translation>
    </message>
  </context>
  <context>
    <name>Wording</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln 个文档</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation>
        <numerusform>%Ln 行</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation>
        <numerusform>%Ln 页</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln request(s)</source>
      <translation>
        <numerusform>%Ln 次请求</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln statement(s)</source>
      <translation>
        <numerusform>%Ln 条陈述</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln step(s)</source>
      <translation>
        <numerusform>%Ln 步</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln 个词元</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln word(s)</source>
      <translation>
        <numerusform>%Ln 个词</numerusform>
      </translation>
    </message>
    <message>
      <source>, </source>
      <translation>，</translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more search(es)</source>
      <translation>
        <numerusform>再允许 %Ln 次搜索</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more step(s)</source>
      <translation>
        <numerusform>再允许 %Ln 步</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more token(s)</source>
      <translation>
        <numerusform>再允许 %Ln 个词元</numerusform>
      </translation>
    </message>
    <message>
      <source>Allow {time} more</source>
      <translation>再允许 {time}</translation>
    </message>
    <message>
      <source>Cell {0}</source>
      <translation>单元格 {0}</translation>
    </message>
    <message>
      <source>Checked by an earlier version; ask again to have it checked anew.</source>
      <translation>由早期版本核对；请重新提问，以便再次核对。</translation>
    </message>
    <message>
      <source>Cited, not checked: read the lines.</source>
      <translation>有引用，未核对：请阅读这些行。</translation>
    </message>
    <message>
      <source>Computed here: {sum}, from {places}.</source>
      <translation>此处算出：{sum}，依据 {places}。</translation>
    </message>
    <message>
      <source>Computed here: {sum}.</source>
      <translation>此处算出：{sum}。</translation>
    </message>
    <message>
      <source>It cites a file or line that your library does not have.</source>
      <translation>您的资料库中没有所引用的文件或行。</translation>
    </message>
    <message>
      <source>It cites {text}, where nothing was read.</source>
      <translation>它引用了 {text}，但那里没有读取任何内容。</translation>
    </message>
    <message>
      <source>It is not written yet.</source>
      <translation>尚未撰写。</translation>
    </message>
    <message>
      <source>No document has {0}.</source>
      <translation>没有文档包含{0}。</translation>
    </message>
    <message>
      <source>Not found.</source>
      <translation>未找到。</translation>
    </message>
    <message>
      <source>Not word for word in these lines.</source>
      <translation>这些行中并非逐字如此。</translation>
    </message>
    <message>
      <source>Nothing was surely found for “{0}”.</source>
      <translation>未能确定找到“{0}”的答案。</translation>
    </message>
    <message>
      <source>Page {0}</source>
      <translation>第 {0} 页</translation>
    </message>
    <message>
      <source>Prices from {0}</source>
      <translation>{0} 的价格</translation>
    </message>
    <message>
      <source>Quoted word for word from the cited lines.</source>
      <translation>逐字引自所引行。</translation>
    </message>
    <message>
      <source>Read by the model: “{words}”.</source>
      <translation>模型读到：“{words}”。</translation>
    </message>
    <message>
      <source>Searched for {0} (documents: {1}).</source>
      <translation>已搜索{0}（文档：{1}）。</translation>
    </message>
    <message>
      <source>Slide {0}</source>
      <translation>幻灯片 {0}</translation>
    </message>
    <message>
      <source>The document has these words.</source>
      <translation>文档中有这些原话。</translation>
    </message>
    <message>
      <source>The lines are cited, no words of them.</source>
      <translation>引用的是这些行，没有引用其中的原话。</translation>
    </message>
    <message>
      <source>The lines seem to say otherwise: “{found}”, not “{text}”.</source>
      <translation>所引行的说法似乎不同：是“{found}”，不是“{text}”。</translation>
    </message>
    <message>
      <source>The model does not find this in the cited lines.</source>
      <translation>模型在所引行中没有找到这一点。</translation>
    </message>
    <message>
      <source>The model names no source in your documents for this.</source>
      <translation>模型没有为此指出您文档中的来源。</translation>
    </message>
    <message>
      <source>The model reads otherwise: “{words}”.</source>
      <translation>模型读到的不同：“{words}”。</translation>
    </message>
    <message>
      <source>The prices are from {0}: check whether they still hold</source>
      <translation>价格来自 {0}：请确认是否仍然有效</translation>
    </message>
    <message>
      <source>The quoted words are nowhere in what was read.</source>
      <translation>所读内容中没有这些引文。</translation>
    </message>
    <message>
      <source>The words are here, not where the model said.</source>
      <translation>文字在这里，而不在模型所说之处。</translation>
    </message>
    <message>
      <source>The words are here; the model named {place}.</source>
      <translation>文字在这里；模型指的是{place}。</translation>
    </message>
    <message>
      <source>What documents disagree on is looked for by a model and its second look only.</source>
      <translation>文档之间的分歧只能由模型通过复查来查找。</translation>
    </message>
    <message>
      <source>What was searched and not found, and what disagrees</source>
      <translation>搜索未果之处与不一致之处</translation>
    </message>
    <message>
      <source>line {line}</source>
      <translation>第 {line} 行</translation>
    </message>
    <message>
      <source>lines {first}–{last}</source>
      <translation>第 {first}–{last} 行</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>第 {page} 页</translation>
    </message>
    <message>
      <source>page {page} · {lines}</source>
      <translation>第 {page} 页 · {lines}</translation>
    </message>
    <message>
      <source>{0} %</source>
      <translation>{0}%</translation>
    </message>
    <message>
      <source>{0} answered and has no model yet: {1}</source>
      <translation>{0} 已应答，但还没有模型：{1}</translation>
    </message>
    <message>
      <source>{0} answered and wants a key.</source>
      <translation>{0} 已应答，需要密钥。</translation>
    </message>
    <message>
      <source>{0} tokens/s</source>
      <translation>{0} 词元/秒</translation>
    </message>
    <message>
      <source>{0}, {1}</source>
      <translation>{0} {1}</translation>
    </message>
    <message>
      <source>{minutes} min {seconds} s</source>
      <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
      <source>{n} checked by an earlier version</source>
      <translation>{n} 条由早期版本核对</translation>
    </message>
    <message>
      <source>{n} computed here</source>
      <translation>{n} 条此处算出</translation>
    </message>
    <message>
      <source>{n} not checked</source>
      <translation>{n} 条未核对</translation>
    </message>
    <message>
      <source>{n} quoted word for word</source>
      <translation>{n} 条逐字引用</translation>
    </message>
    <message>
      <source>{n} read by the model</source>
      <translation>{n} 条模型读到</translation>
    </message>
    <message>
      <source>{n} that the model does not find</source>
      <translation>{n} 条模型没有找到</translation>
    </message>
    <message>
      <source>{n} that the model reads otherwise</source>
      <translation>{n} 条模型读到的不同</translation>
    </message>
    <message>
      <source>{n} where the lines seem to say otherwise</source>
      <translation>{n} 条似乎与所引行不同</translation>
    </message>
    <message>
      <source>{n} with words that are not written there</source>
      <translation>{n} 条含有其中没有写的词</translation>
    </message>
    <message>
      <source>{n} without a source</source>
      <translation>{n} 条没有来源</translation>
    </message>
    <message>
      <source>{seconds} s</source>
      <translation>{seconds} 秒</translation>
    </message>
    <message>
      <source>{text} are not written in the cited lines.</source>
      <translation>所引行中没有写 {text}。</translation>
    </message>
    <message>
      <source>{text} is not written in the cited lines.</source>
      <translation>所引行中没有写 {text}。</translation>
    </message>
    <message>
      <source>{total}: {parts}</source>
      <translation>{total}：{parts}</translation>
    </message>
    <message>
      <source>“{0}”</source>
      <translation>“{0}”</translation>
    </message>
    <message>
      <source>“{0}” – {1} says otherwise: “{2}”</source>
      <translation>“{0}”——{1} 的说法不同：“{2}”</translation>
    </message>
    <message>
      <source>“{text}” stands nowhere in what was read.</source>
      <translation>“{text}”在已读内容中无处可见。</translation>
    </message>
    <message>
      <source>“{words}”
— {source}</source>
      <translation>“{words}”
— {source}</translation>
    </message>
  </context>
  <context>
    <name>WorkControl</name>
    <message>
      <source>Something went wrong</source>
      <translation>出了问题</translation>
    </message>
  </context>
  <context>
    <name>WorkMenu</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln 个文件</numerusform>
      </translation>
    </message>
    <message>
      <source>Background work</source>
      <translation>后台工作</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>暂停一小时</translation>
    </message>
    <message>
      <source>Pause reading</source>
      <translation>暂停读取</translation>
    </message>
    <message>
      <source>Pause until tomorrow morning</source>
      <translation>暂停到明天早上</translation>
    </message>
    <message>
      <source>Paused until {0}</source>
      <translation>暂停到 {0}</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>此资料库不存在</translation>
    </message>
    <message>
      <source>Waiting for mains power</source>
      <translation>等待接通电源</translation>
    </message>
    <message>
      <source>Waiting until the computer is idle</source>
      <translation>等待电脑空闲</translation>
    </message>
    <message>
      <source>Words: {0} of {1} files</source>
      <translation>词语：{0} / {1} 个文件</translation>
    </message>
    <message>
      <source>Work at any time</source>
      <translation>随时工作</translation>
    </message>
    <message>
      <source>Work only on mains power</source>
      <translation>仅在接通电源时工作</translation>
    </message>
    <message>
      <source>Work only while the computer is idle</source>
      <translation>仅在电脑空闲时工作</translation>
    </message>
    <message>
      <source>Your library is empty</source>
      <translation>您的资料库是空的</translation>
    </message>
    <message>
      <source>{0} of {1} files can be searched</source>
      <translation>{1} 个文件中有 {0} 个可搜索</translation>
    </message>
  </context>
  <context>
    <name>WorkPage</name>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>返回对话（Esc）</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
  </context>
  <context>
    <name>WriteDialog</name>
    <message numerus="yes">
      <source>%Ln section(s)</source>
      <translation>
        <numerusform>%Ln 节</numerusform>
      </translation>
    </message>
    <message>
      <source>Every section is kept as it is written. You can stop at any time and go on later.</source>
      <translation>每节写完即保存。您可随时停止，稍后继续。</translation>
    </message>
    <message>
      <source>Minutes</source>
      <translation>分钟</translation>
    </message>
    <message>
      <source>Money</source>
      <translation>费用</translation>
    </message>
    <message>
      <source>No limit</source>
      <translation>无限制</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>词元</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>撰写</translation>
    </message>
    <message>
      <source>Write the report?</source>
      <translation>撰写报告？</translation>
    </message>
    <message>
      <source>{0} by {1}. Each is searched, written and compared with its lines, as one question.</source>
      <translation>{0}，由 {1} 撰写。每节都像一个问题那样搜索、撰写并与原文行比对。</translation>
    </message>
  </context>
  <context>
    <name>ZoomTools</name>
    <message>
      <source>Fit page</source>
      <translation>适合页面</translation>
    </message>
    <message>
      <source>Fit width</source>
      <translation>适合宽度</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <source>Size: {0}</source>
      <translation>大小：{0}</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>缩小</translation>
    </message>
    <message>
      <source>{0} %</source>
      <translation>{0} %</translation>
    </message>
  </context>
  <context>
    <name>_Pages</name>
    <message>
      <source>Page {0}</source>
      <translation>第 {0} 页</translation>
    </message>
  </context>
  <context>
    <name>_PathList</name>
    <message>
      <source>Add file…</source>
      <translation>添加文件…</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>添加文件夹…</translation>
    </message>
    <message>
      <source>Never send</source>
      <translation>永不发送</translation>
    </message>
    <message>
      <source>Take off the list</source>
      <translation>从列表中移除</translation>
    </message>
  </context>
  <context>
    <name>_Question</name>
    <message>
      <source>Kind of the answers</source>
      <translation>答案的种类</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Remove this question</source>
      <translation>移除此问题</translation>
    </message>
    <message>
      <source>Such as: Rent per month</source>
      <translation>例如：每月租金</translation>
    </message>
    <message>
      <source>Values to choose from</source>
      <translation>可选的值</translation>
    </message>
    <message>
      <source>Values, with commas</source>
      <translation>可选值，用逗号分隔</translation>
    </message>
  </context>
  <context>
    <name>_Sheet</name>
    <message>
      <source>Answer</source>
      <translation>答案</translation>
    </message>
    <message>
      <source>Answered</source>
      <translation>已回答</translation>
    </message>
    <message>
      <source>Asked</source>
      <translation>提问时间</translation>
    </message>
    <message>
      <source>Both</source>
      <translation>两者</translation>
    </message>
    <message>
      <source>Cited</source>
      <translation>引用</translation>
    </message>
    <message>
      <source>Cost</source>
      <translation>费用</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>文档</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>失败</translation>
    </message>
    <message>
      <source>Failed before an answer was written</source>
      <translation>在写出答案之前已失败</translation>
    </message>
    <message>
      <source>No answer yet</source>
      <translation>尚无答案</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>Now</source>
      <translation>现在</translation>
    </message>
    <message>
      <source>Only here</source>
      <translation>仅此处</translation>
    </message>
    <message>
      <source>Only the searches were repeated</source>
      <translation>只重复了搜索</translation>
    </message>
    <message>
      <source>Outcome</source>
      <translation>结果</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>问题</translation>
    </message>
    <message>
      <source>Searched</source>
      <translation>已搜索</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>Stopped before an answer was written</source>
      <translation>在写出答案之前已停止</translation>
    </message>
    <message>
      <source>Then</source>
      <translation>当时</translation>
    </message>
    <message>
      <source>Unfinished</source>
      <translation>未完成</translation>
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation>
        <numerusform>还有 %Ln 个</numerusform>
      </translation>
    </message>
    <message>
      <source>{0} of 2 · {1}</source>
      <translation>{0}/2 · {1}</translation>
    </message>
  </context>
</TS>
