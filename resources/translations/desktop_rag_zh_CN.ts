<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>AboutDialog</name>
    <message>
      <source>About Desktop RAG</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Drop a folder, ask a question, click the line that proves the answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Free software under the GNU Affero General Public License, version 3 or later.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The only network connection it ever makes is to the endpoint you set yourself.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Version {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ActionDialog</name>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>AdvancedFields</name>
    <message>
      <source>A cheaper model on the same endpoint; the method “Automatic” uses it to sort the questions.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Endpoint default</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fast model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fast model's price</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fast model: input price per million tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fast model: output price per million tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fewer settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>High</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Input price per million tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Low</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Medium</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Minimal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>More settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>None: rules choose how to answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not set</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Output price per million tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Per million tokens, in any currency. If not set, only tokens are counted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Presets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Presets of temperature and top-p</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Price: input, output</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reasoning effort</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sampling, reasoning effort, fast model and prices</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Top-p</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>AnswerMethods</name>
    <message>
      <source>A variant for comparisons</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Automatic</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Direct</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Finds the words themselves, nothing by meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>From the model's memory, without your documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Literal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Naive RAG</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One search, one answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Plans first, then searches in plain language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Plans first, then searches with AND, OR and NOT</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quick</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quick for simple questions, several steps for others</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searches, reads and checks in several steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searches, then finds and opens inside the documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The five nearest passages, one answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Thorough</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words or meaning, then whole passages, one tool at a time</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>AnswerView</name>
    <message>
      <source>Answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy answer as Markdown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy answer as plain text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in browser</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The file: {note}.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>AnswersPage</name>
    <message>
      <source>A statement without a source in your documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mark it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Models also state what they remember from their training. Each statement of an answer is checked against the lines it cites; a statement without a citation is always marked or replaced.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Replace it with a note</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>App</name>
    <message>
      <source>Built-in model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quote copied</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” failed: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” has its answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” was stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}”: not found in your library</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>AppearancePage</name>
    <message>
      <source>Another language is used from the next start on.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Same as the system</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Theme</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Banner</name>
    <message>
      <source>Below is the current file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hide this note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It no longer contains the quoted words. Below is the current file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It still contains the quoted words, now on {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its text is shown as it was last read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only a part of this file could be read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder of this file is not connected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file has changed since the answer was written</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is no longer in your library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is the passage as it was when the answer was written.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>BookmarkControl</name>
    <message>
      <source>Bookmarked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bookmarked with your note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bookmarks and notes saved to {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>BookmarkList</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edit the note…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show this passage</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Bookmarking</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export bookmarks and notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Markdown (*.md)</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>BookmarksDialog</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a bookmark or note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No bookmark contains these words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is bookmarked yet.
Open a document and press Ctrl+M at a passage.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>CitationButtons</name>
    <message>
      <source>Citation {0} of {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next citation of this answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous citation of this answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} / {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>CitationCard</name>
    <message>
      <source>Citation {number}: {name}, {place}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy as quote</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep this card open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The cited lines on their page</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>CommandPalette</name>
    <message>
      <source>Commands</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a command</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing has this name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type a command, document, conversation or setting</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ComparisonDialog</name>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare runs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run to compare with</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The same searches, now</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Composer</name>
    <message>
      <source>Allow more steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask your documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Built-in (no model)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Continue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Earlier question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In the question field</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Method</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Method: {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model: {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause before the next step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Research</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write a note to the model; it reads it before its next step</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationControl</name>
    <message>
      <source>Wait for this answer, or press Stop to ask the next question.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationExport</name>
    <message>
      <source>Conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>JSON</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Markdown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>PDF</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sources</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sources as BibTeX</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sources as CSL-JSON</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sources as RIS</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Statements that no source supports:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Web page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is read-only</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{file}, {place}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{file}, {place}: “{quote}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{path} cannot be written ({reason}). Nothing there was changed; choose another place.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationGroups</name>
    <message>
      <source>Archived</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Earlier in {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pinned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This week</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Today</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Yesterday</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationPane</name>
    <message>
      <source>Card of a citation; again: keep it open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close the card</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In an answer and its sources</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next citation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open the citation</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationRepository</name>
    <message>
      <source>Your conversations</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationView</name>
    <message>
      <source>Conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Jump to latest</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationsModel</name>
    <message>
      <source>Being answered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Draft</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Interrupted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Queued</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Yesterday</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>folded</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>unfolded</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ConversationsPanel</name>
    <message>
      <source>Archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back from the archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No conversation has these words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No conversation is selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On the selected conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pin</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Print…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unpin</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words of titles, questions and answers; tag:name for a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your questions are kept here</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>CoverageCard</name>
    <message>
      <source> Not searched: {gaps}.</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln excluded file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) not indexed yet</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) that could not be read</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln of them</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln quer(y|ies)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln scan(s) without text</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Hide what was searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In no document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No search was run in {documents}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched {documents} with {queries}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show what was searched</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>{name}: {lines}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{path} is not connected; the text indexed last was searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{searched}, read {read}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{share} of the text by meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{query}” ({mode}): {passages}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DateHistogram</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Date</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: {1} documents</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DocumentActions</name>
    <message>
      <source>Add a note…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy quote as Markdown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find in this document…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in default application</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show in folder</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DocumentSide</name>
    <message>
      <source>Nothing is bookmarked in this document. Ctrl+M keeps the passage you read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Press Ctrl+F to look for words in this document.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This document has no headings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This document has no pages.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DocumentTab</name>
    <message>
      <source>The printed pages cannot be shown, so this is the text</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DocumentsChip</name>
    <message>
      <source>Search all documents again</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>DropZone</name>
    <message>
      <source>Drop to add to your library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files stay where they are; nothing is copied or sent</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>EditorPage</name>
    <message>
      <source>Editor command</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>If the field is empty, {0} is used.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No editor was found on this computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your editor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“Open in my editor at this line” runs this command, with {path} and {line} for the file and the line.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>EmptyLibrary</name>
    <message>
      <source>Add a few ready documents to see how asking works</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a folder to search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Drop a folder here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every word can be found in seconds. Your files stay where they are.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try the sample library</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>EntryRow</name>
    <message>
      <source>Its result takes {0} of the context</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}. Tried again after {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ExportControl</name>
    <message>
      <source>Export the conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Print the conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Printed “{0}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved as {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The printer did not take it. Check that it is connected, or export a PDF.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ExternalPrograms</name>
    <message>
      <source>No program on this computer opens {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be shown in its folder</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FacetList</name>
    <message>
      <source>Narrow down by</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FacetModel</name>
    <message>
      <source>Author</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>chosen</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FileWording</name>
    <message>
      <source>Archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Calendar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check that you may read these files and that their disk works, then try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Code</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comic</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Contacts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Could not be opened</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Damaged, or not what the name says</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Data</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>E-book</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It cannot be found.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Larger than the limit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Log</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mail</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mailbox</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Modified</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No text in it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not searchable</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Notebook</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is missing. Ignore them to shorten this list.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open one in its own program. If it opens there, save it again; if not, restore it from a backup.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other reasons</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outlook mail</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages that are only pictures</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Partly read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Printed book</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Problem</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Protected by a password</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Raise the size limit in the rules of their folder, or split these files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Recording</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save a copy without a password in the same folder; it is read by itself.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save them in another format, such as PDF or text, or ignore them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Set aside after two failed attempts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Slides</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Slides (old)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Split these files into smaller ones to have all of them read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Spreadsheet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Subtitles</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Table</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The reason is given beside each file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They are not touched again until they change. After an update of this program, try them again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Too much for one file; only a part was read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Types that are not read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unknown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Waiting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Web page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>With a program for text recognition (OCR) installed, these pages are read in the background.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Word (old)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You can find it by its words and by their meaning.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You can find it by its words; its meaning is being prepared.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You can find what was read of it; the rest is missing.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilesControl</name>
    <message numerus="yes">
      <source>%Ln file(s) ignored</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Add a folder to see its files here. They stay where they are.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files that were added one by one have no rules; remove them from the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing to try again: only files that could not be read are tried</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Opening the list…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The files cannot be listed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They will be read again in the background</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This library is missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Too many files for single rules; write a pattern in the rules of the folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your library is empty</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilesList</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>All files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All types</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Clear filters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files appear here as your folders are looked through.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Filter by name or folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No file matches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No files yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove this filter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try fewer words or another filter.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>With a problem</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilesPage</name>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No file is selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On a selected file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Parts of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Problems</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Problems ({0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Statistics</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilesTable</name>
    <message>
      <source>Copy path</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ignore</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show in folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is it found or not?…</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilterChip</name>
    <message>
      <source>Ask again without this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only in {0}; ask again without it</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilterChips</name>
    <message>
      <source>Author: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changed: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Date: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files this question is limited to</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type: {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FilterField</name>
    <message>
      <source>Clear</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FindBar</name>
    <message>
      <source>Close (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find in this document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>List all matches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next match</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous match</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FolderRulesDialog</name>
    <message>
      <source> MB</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>.{0} – {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A path to test the rules on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A pattern is not valid: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add a pattern for all files of one type</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Also ignore</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a file to test the rules on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Counting the files…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files read with these rules: {0} ({1} fewer and {2} more than now).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files read with these rules: {0}, the same as now.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ignore files larger than</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ignore what .gitignore files ignore</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ignored.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Include hidden files and folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Included.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Largest file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave out a type</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Newly read: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No longer read: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One pattern per line, as in a .gitignore file. “!” includes a file again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rules of “{0}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save and check the folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Test the rules on a file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder is not here now, so its files cannot be counted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This line: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This path is outside the folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type or drop a path, such as drafts/plan.md</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Which rule decides?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} Only a part of this large folder was counted.</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>{0} and %Ln more</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>“{0}”: {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>FoldersPage</name>
    <message>
      <source>Each folder has its own rules for which files are excluded.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rules…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your library has no folders yet. Drop one on the window.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ForgetControl</name>
    <message numerus="yes">
      <source>%Ln bookmark(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>1 stored answer uses it. If erased, its question stays.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No stored answer quotes it now; older copies of your conversations may.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing of “{0}” is left in the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} and {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} stored answers use it. If erased, their questions stay.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is forgotten; its text is being overwritten</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ForgetDialog</name>
    <message>
      <source>Also erase its quotes in conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Also in the backups of the conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget “{0}”?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library erases the text of {0} and overwrites it. This cannot be undone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your files stay where they are. Copies in other folders of the library can still be found.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ForkDialog</name>
    <message>
      <source>Ask again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask again from a step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edit the queries to search for something else; leave them to let the model choose again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Queries, one per line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step {number}: {activity}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model chooses again what to do in this step.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The steps before this one are repeated; the rest is new, in a separate conversation.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>HistoryButtons</name>
    <message>
      <source>Back to where you were</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forward again</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>HitList</name>
    <message>
      <source>Matches</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibrariesControl</name>
    <message>
      <source>Create</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete “{0}”?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its index, conversations, bookmarks, notes and searches are deleted. Your documents stay where they are.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is deleted. “Open library…” adds it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove “{0}” from the list?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library's new folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” was deleted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” was removed from the list</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibraryControl</name>
    <message>
      <source>Found “{0}” again; {1} of {2} files did not need to be read again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Something went wrong</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” was not added</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibraryDelegate</name>
    <message>
      <source>Meaning {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words {0} of {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibraryFooter</name>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Every word can be found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How to fix this…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for changes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Meaning {0} %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Overwriting forgotten text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause or schedule reading</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading is paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading text in pictures</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resume reading</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>The words of %Ln file(s) cannot be found yet</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Up to date</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Work now all the same</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} left</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} without text – scans or pictures</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibraryModel</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Checking</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for files…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No file was read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No files found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not here now; its text can still be searched.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not here since {0}; its text can still be searched.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Offline</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words: {0} of {1} files, meaning: {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} skipped</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibraryPanel</name>
    <message>
      <source>Add folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Check for changes now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy path</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files of the library (Ctrl+Shift+L)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder was moved…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No folder is selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On the selected folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove from library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resume</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rules…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show problems</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LibrarySwitch</name>
    <message>
      <source>Delete…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Libraries</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Library “{0}”: switch to another one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove from this list…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is only this library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} (not connected)</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LimitsPage</name>
    <message>
      <source> seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source> tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Context per request</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No limit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searches and reads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tokens per run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>When a run reaches one of these limits, the answer uses what was found until then.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>LineEditor</name>
    <message>
      <source>Text of the document</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Add a folder to your library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add files to your library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Archived “{0}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Deleted “{0}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model in use</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Removed “{0}” from the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rules of “{0}” changed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The new location of “{0}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This library is missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words: {0} of {1} files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your library is empty</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Menus</name>
    <message>
      <source>&amp;Edit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;File</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Help</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;View</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>About Desktop RAG</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add files…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bookmarks and notes…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cut</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a command…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find in document…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Full screen</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New conversation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing that can be undone was changed in the last seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Paste</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Same as the system</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show library and conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Theme</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo the last change</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write a question</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>MeterLegend</name>
    <message>
      <source>Answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Evidence</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Free</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>History</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Input tokens of this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Instructions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Output tokens of this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Requests</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What the context holds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>~ estimated: the endpoint reports no token counts</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>MethodPage</name>
    <message>
      <source>How a question is answered: how much is searched and read, and what counts as found.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Method</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Research: the systems of the papers</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>MissingChip</name>
    <message numerus="yes">
      <source>%Ln chosen folder(s) (is|are) gone – search all?</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>No longer in your library: {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>MissingLibrary</name>
    <message>
      <source>Choose the library's new folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find it…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This library is missing</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ModeBox</name>
    <message>
      <source>Both</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exact letters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How to search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Letters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Refined</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Related</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>With related passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words and meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words and meaning, refined</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>NameDialog</name>
    <message>
      <source>An empty folder for the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose an empty folder, for example on another disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder for its index and conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For example: Work</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In the default folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your documents stay where they are.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>NoteDialog</name>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What do you want to remember?</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>OutlineList</name>
    <message>
      <source>Outline</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PageField</name>
    <message>
      <source>/ {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Page</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PageView</name>
    <message>
      <source>Page {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages of the document</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PaletteControl</name>
    <message>
      <source>Not possible at the moment</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PaletteModel</name>
    <message>
      <source>not possible now: {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PassageDiff</name>
    <message>
      <source>Added: {words}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Removed: {words}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The passage has not changed.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PassageView</name>
    <message>
      <source>Cited passage</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>PatternEditor</name>
    <message>
      <source>Patterns to ignore, one per line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>decides about no file</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>keeps %Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>leaves out %Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>not valid</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ProbeReport</name>
    <message>
      <source>Stop testing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Test connection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Testing the endpoint…</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>Use %Ln token(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
  </context>
  <context>
    <name>ProblemCard</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>For example: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ignore all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave these files out by rules of their folders; you can undo it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try all again</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ProblemGroups</name>
    <message>
      <source>No problems: every file could be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Problems by reason</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ProfileEditor</name>
    <message>
      <source> tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Address</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Certificate file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a certificate file</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>Choose one of %Ln model(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Context window</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Longest answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only if the endpoint requires one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stored in this computer's keychain, never in a file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stored; type to replace it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Test the connection to list the models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The system's certificates</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ProfilesPage</name>
    <message>
      <source>Add</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Built-in – quotes your documents, no language model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Duplicate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Endpoint</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Endpoints</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give this endpoint a name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No name yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other endpoint</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Questions are answered by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The address must begin with http:// or https://.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Two endpoints are called “{0}”. Names must differ.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Without an endpoint, the built-in model answers with quotes from your documents. For written answers, add an OpenAI-compatible server, on this computer or elsewhere.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>QueryRow</name>
    <message>
      <source>Delete a saved search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How to ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Recent</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save this search…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search your documents</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>QuestionBubble</name>
    <message>
      <source>Edit the question and ask again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Question</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>QuestionEditor</name>
    <message>
      <source>Ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>QuestionField</name>
    <message>
      <source>Enter sends, Shift+Enter starts a new line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Question</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>RemarkList</name>
    <message>
      <source>Against it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What is known about this file</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>RenderedView</name>
    <message>
      <source>Copy link</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Document as a page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in browser</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The target of this link was not found in the document.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This link points outside the document: {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ResultSummary</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) by name</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln similar passage(s) without your words</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>The best %Ln passage(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>meaning search covers {0} % so far</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ResultsList</name>
    <message>
      <source>Copy path</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Related passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is this found?</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ResultsModel</name>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Files without text, found by name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rank {0} by meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rank {0} by words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rank {0} in this search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Similar passages without your words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>also in 1 other file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>also in {0} other files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>and {0} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no text</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>RunActions</name>
    <message>
      <source>There is no other run to compare with. Ask the question again first.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>RunFeedback</name>
    <message>
      <source>The model reads this before its next step.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The run may take more steps.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This takes effect before the next step.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>RunWorker</name>
    <message>
      <source>Something went wrong</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ScansDialog</name>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is detected when you next open the window, and then reads the waiting pages in the background. You do not need to add anything again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Linux: the package tesseract-ocr, and one per language, such as tesseract-ocr-deu</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Or, if this program runs from a Python environment: pip install rapidocr</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Text in scans and pictures</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They are read by Tesseract, a free program that runs only on this computer. Install it:</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ScopeRow</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Folders to search</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SearchFilterChip</name>
    <message>
      <source>Remove this filter</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SearchHelp</name>
    <message>
      <source>How to ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Type words or a question. Or be exact:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>also in the names of files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>at most five words between them</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>between; also 2024, 2024-03-15, &gt;2023</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>both, also OR and NOT, with brackets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>brackets group terms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>by this author</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>exactly this spelling and capitals</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>in the title; content: in the text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>in this language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>mails from her with this subject; also to: and cc:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>mails sent in that time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>one letter may differ, with ~2 two</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>only in the names of files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>only in these files; path: matches any folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the file was changed then</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the first counts three times</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the first is required, the second optional</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the first, without the second</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>this exact phrase</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>whole or in part, like jo@example.org and 1,234.50</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>words with this beginning; ? is one letter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>written, taken or sent then; also today, this month, last 3 months</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SearchNameDialog</name>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save this search</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SearchPage</name>
    <message>
      <source>Accept the suggestion</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask about these</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to the results</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Did you mean: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go to the results</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How to ask</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In the search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Narrow down</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next part: query, filters, passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No passage is selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No related passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On a selected passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open the search first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous part</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Related to “{0}”, {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save this search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search at once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search for this instead</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search for: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The search failed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is a file missing?</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SendButton</name>
    <message>
      <source>Send</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Send (Enter)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop (Esc)</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Sentences</name>
    <message>
      <source> or more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, counting those that the list omits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, nor anywhere else in the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, with {0} passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 aspect</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 given passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 item</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 more of its passages ranks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 place</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 result</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 statement</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 tool call</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>= requires this very spelling; leave out the ~.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A background process cannot be started ({0}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A background process failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A backslash at the end stands before nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A boost must be more than 0.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A range is written [from TO to], with * for an open side.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A range is written in square brackets: [from TO to].</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A text in the catalog is damaged. Run `desktop-rag check --repair`.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A word cannot begin with *.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Adding up {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Already done</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another program is writing the keyword index; close it and try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>At most {0} letters of a word may differ.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By exact text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By meaning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By words and meaning together</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By words and meaning, re-ranked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Calculating {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Calling {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Checked {0}. {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Everything required occurs in it, but no single passage matches the whole query.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found as {0}, which has the same text: place {1} of the list.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found: place {0} of the list{1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Further down: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Internal error: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It can be found by its words and by meaning.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It can be found by its words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It cannot be opened: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It has not been seen yet: the next scan of its folder finds it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is a folder of the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is already part of {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is inside {0}, which excludes it. {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is neither a folder nor a file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is not a regular file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is not there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is not there. {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is on a network ({0}), which reports no changes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It lies in no folder of the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It names no file: write a name or a pattern after it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It ranks higher because of a link from {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It sent no answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its folder holds a file named “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its folder is not there now; what was read stays searchable.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its folder is paused.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Larger than</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, leaves it out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, {3}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Lines {0}–{1} of {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for {0} in {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No document is open.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No folder of the library is {0}, or lies in it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No library can be made in {0} ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No match</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No path was found at which the indexer can listen ({0}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No such document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found by this search.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found: a condition on files excludes it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found: it is not among the first {0} passages.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing found; {0} stands nowhere</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing given</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only date:, sent: and modified: take a range.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outlines and links {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Page {0} cannot be shown: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages without text: {0}{1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pictures inside other files are not read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>RAR archives are read where libarchive is installed (package libarchive13); or unpack this one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading this file needs more memory than is allowed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading {0}{1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Say how many words may stand between, for example ~5.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search by meaning covers {0} % of its sentences so far.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search by meaning is not available</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching for passages like {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching for the meaning of {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching for the words {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching {0}{1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sentences {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Something went wrong</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sounds and films inside other files are not read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Summing up, keeping {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Taking {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tesseract cannot be started ({0}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The CA file {0} cannot be used ({1}). Choose a PEM file in the profile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The background process ended unexpectedly. Please try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The background process gave an invalid answer to {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The background process gave no answer. Please try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The best of all systems together: finds the right documents, reads them and proves what it says.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The bookmarks cannot be kept</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The bookmarks could not be {0} ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The bracket “[” opens a set of letters that is not valid, such as [a-z]; write \[ for the character.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The catalog in {0} is missing. `desktop-rag index`, or opening the window, reads your folders again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). If your network or server has its own authority, choose its CA file in the profile.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The character encoding of this file is not recognised; save it as UTF-8.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The condition {0} does not hold.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The condition {0} holds.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The connection was cut</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The conversation does not fit the model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The conversation was not exported</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The conversations cannot be kept</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The conversations could not be {0} ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The disk is full. Free some space; indexing continues by itself.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The disk reported an error on {0} ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint cannot be reached</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint does not know this model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint ended its answer without a message. Ask again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint is busy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint is overloaded</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint refused the key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint reports a failure</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint sent an endless line. The answer ends here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder of “{0}”, {1}, does not exist. Connect its disk, or name another library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The indexer ended without giving a reason. Its log may say more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The instructions {0} are missing from this installation ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The key of “{0}” could not be {1} ({2}). Unlock the keychain and try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keychain did not answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keychain took the key of “{0}” but does not give it back. Unlock it, or check its settings, and enter the key again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index cannot be read ({0}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index could not be {0} ({1}: {2}); it will be rebuilt.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index is damaged (a file is missing); it will be rebuilt.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index is damaged ({0}); it will be rebuilt.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index is damaged; it will be rebuilt.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The keyword index was written by another version of this program; it will be rebuilt.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library cannot be used</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library in {0} cannot be opened: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library in {0} cannot be written ({1}). Check its permissions and its disk, or choose another folder for it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library in {0} is in use by a program that does not answer. Close other windows of this program, or restart the computer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is damaged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is in use</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is open in another window or command. Close it, then repair the library again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library needs a name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The list of libraries in {0} cannot be changed ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model did not answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model's answer broke off. Try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The name of a library has no slashes and does not begin with a dot.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The old format of {0} (.{1}) cannot be read; save the file as .{2}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The painter received an unknown request.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The path of this {0} is longer than this system opens.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The process that reads this file sent an invalid reply.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The program is closing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The proxy of this computer cannot be used ({0}). Check the proxy settings of the system.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The query was interrupted.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The recorded run ends here, and there is no model to continue it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The request cannot be decoded.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The request is longer than “{0}” at {1} can take ({2}). Lower the context limit of this profile, or load the model with a larger context.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The request {0} has wrong arguments: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The sentence encoder is damaged. {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The sentence encoder is damaged: its tokenizer cannot be read. {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The sentence encoder is missing. {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The system does not report changes here ({0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The system reported an error: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The text of this page could not be recognised.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The text of this page could not be recognised: it {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The vectors could not be {0}: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are more folders than this system watches at once{0}, which an administrator can change (fs.inotify.max_user_watches)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are too many brackets inside each other.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is a library called “{0}” already.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is a library in {0} already. Open it instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no field “{0}:”. Did you mean “{1}:”?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no field “{0}:”. The fields are {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no keyword index yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no library called “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no library called “{0}”. There are: {1}. A folder is written like .{2}{3}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no library in {0} yet. Make one: desktop-rag index FOLDER</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no library in {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no request {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no toolkit “{0}”. Choose one of: {1}. `desktop-rag ask --toolkit help` describes each.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no {0} {1}. Nothing was changed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These settings cannot be used</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They were written by a newer version of this program. Please update.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This .{0} file has no pages.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This .{0} file is damaged or has the wrong suffix.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This PDF is damaged and cannot be opened.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This PDF is damaged: none of its pages can be found.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This PDF is protected by a password; save a copy without one to have it read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is damaged or not a 7z archive.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is damaged or not a ZIP archive.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is damaged or of an unsupported kind.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is damaged or protected by a password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is protected by a password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This archive is split into several files; join them to have it read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This benchmark cannot be run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This bracket closes nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This bracket is never closed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This cannot be done</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This document is no longer in the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This e-book is damaged: its pages cannot be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This e-book is protected against copying (DRM); only the reader it was bought for can open it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file cannot be read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file cannot be read: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file has no text, only white space.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is a ZIP archive; name it .fb2.zip to have it read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged and cannot be unpacked.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a FictionBook.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a PDF.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a mail.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a notebook.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a saved web page.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a workbook.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not a {0} file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not an Outlook mail.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not in Rich Text Format.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is damaged or not {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is empty.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is not a mailbox.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This file is protected by a password.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This folder has been erased from the library. Add it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This folder is no longer in the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This folder is not there now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is a binary file, not a text file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is no valid pattern.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is not a sentence encoder: model.onnx needs the inputs input_ids and attention_mask and one of the outputs {0}; it has {1} → {2}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is the only library. Make another one first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This is {0}, not a text file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This library is empty. Add a folder first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This mail is nested too deeply to be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This model cannot use tools</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This page contains no text.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This page does not exist any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This passage is no longer in the library. Search again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This picture is damaged or of an unsupported kind.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This query cannot be understood</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This quotation mark is never closed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This range ends before it begins.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This recording has no metadata.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This recording is damaged or of an unsupported kind.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This recording is damaged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This sentence encoder does not declare the length of its vectors (its output shape).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This system reports no changes now ({0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This {0} cannot be opened: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>With the links of the best passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You have no permission to open this {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You have no permission to read it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>are not read yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>every minute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>every {0} seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its best passage is at place {0}, and the list shows {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>leaves it out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>own line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>system volume information</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>takes it in</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the first </source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the inotify queue overflowed; scanning all folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the rules of all folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>this folder's rules</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>too big</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} Also tried: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} and {1}, which the library has already, lie in one another. Nothing was changed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} broke off with an error: {1} Ask again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be kept private ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be opened ({1}). Check that its folder exists and is yours.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be opened: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be reached ({1}). Check the address and your network.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be read ({1}). Nothing was changed.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be read ({1}). Repair or delete it; the defaults are used until then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be shown: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be used ({1}). Check its permissions and its disk, or choose another folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be written ({1}). The change lasts until the window closes.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be written. Check the permissions of its folder.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} closed the connection before the answer was complete. Ask again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} could not be used ({1}).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} did not accept the API key ({1}). Check the key of this profile in the settings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} does not hold the files of {1}: of {2} files {3} are there unchanged. Nothing was changed. If it is another folder, add it as such.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} does not know the model “{1}” ({2}). Choose another one in the settings, or load it on the server first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} does not occur in it{1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} failed ({1}). Try again, or check the server.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} folders, such as “{1}”,</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} given</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} has lost its id. Run `desktop-rag check --repair`.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} has the size and time of the file the library knows, but not its bytes. Nothing was changed. If it is another folder, add it as such.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} high enough, but a list shows few of each file and each text only once.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is damaged ({1}). `desktop-rag index`, or opening the window, repairs it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is held by another program for too long. Close it and try again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is missing. Connect the disk that contains the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not a file.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not empty. Choose an empty folder for the library's own files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not in the library any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is not ready yet ({1}). Try again in a moment.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} kept</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} more of its passages rank</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} occurs in {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of its passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} was written by a newer version of this program. Please update, or choose another library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} was written by an earlier version of this program. `desktop-rag index`, or opening the window, starts a new one and reads its folders again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1} MB, the limit of this folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1} again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1} checked {2}. {3}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, which the query excludes, does not occur in it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, which the query excludes, occurs in {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: not among {1}{2} passages.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: place {1} of {2} passages{3}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} aspects</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} given passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} items</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} pages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} passages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} places</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} results</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} statements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} tool calls</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“oracle” needs the gold passages of an evaluation. Choose another toolkit for your question.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” at {1} does not accept tools ({2}). Choose a model that supports tool calls, or start the server with tool calls enabled.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” belongs to programs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is a device, a pipe or a socket.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is a link; links are not followed, so that nothing is read twice.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is hidden.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is not a date; write 2024, 2024-03-15, today or last week.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is not an address. It should look like http://localhost:1234/v1.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is open in another window or command. Close it first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” may hold passwords or keys, and what is read can be quoted in an answer. To read it all the same, add the folder around it and the line “!{1}” to that folder's rules.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” may hold passwords or keys.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Session</name>
    <message>
      <source>Bookmark deleted</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Sessions</name>
    <message>
      <source>“{0}” is open in another window</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is open in another window, which does not answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{0}” is still being answered</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SettingsControl</name>
    <message>
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SettingsDialog</name>
    <message>
      <source>Answers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Appearance</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Editor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Limits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Method</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Models</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shortcuts</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SheetTable</name>
    <message>
      <source>Table</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SheetView</name>
    <message>
      <source>Cells</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Content of the cell</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sheets</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ShortcutsDialog</name>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ShortcutsPage</name>
    <message>
      <source>Commands</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Conflicts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Press the new keys in the field below.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reset all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select a command, then press its new keys in the field below.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These keys also belong to: {0}. Neither works until you change one.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SidePanel</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hide the side panel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Matches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outline</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SortBox</name>
    <message>
      <source>By folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By relevance</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Largest first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Newest first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Order of the results</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SourceChips</name>
    <message numerus="yes">
      <source>+%Ln more</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Discard: do not use this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Important: keep this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>More like this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
  </context>
  <context>
    <name>SourceStatus</name>
    <message>
      <source>changed since this answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its folder is not connected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>moved to {path}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no longer in your library</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SourcesList</name>
    <message numerus="yes">
      <source>%Ln quote(s) word for word</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln source(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
  </context>
  <context>
    <name>SourcesModel</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Found, not read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Read, not cited</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>cited %Ln time(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>folded</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>unfolded</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>SourcesView</name>
    <message>
      <source>Copy quote</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy reference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open the source</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sources of this answer</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>StatisticsView</name>
    <message>
      <source>Backups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Conversations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files by state</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Languages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Meaning (vectors)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On your disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Others</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size of files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Statistics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Texts (catalog)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Together</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Types</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Word index</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>StepSlider</name>
    <message>
      <source>Ask again from here…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the next step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the step before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step shown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step {number} of {count}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>StoredPassage</name>
    <message>
      <source>As it was then</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The passage as it was then</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What has changed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What has changed in it</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TabHeader</name>
    <message>
      <source>Bookmark this passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open elsewhere, copy, add a note</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TabStrip</name>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preview; double-click to keep it open</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TagsDialog</name>
    <message>
      <source>For example: taxes 2024</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Separate tags by spaces. In the search field of the conversations, tag:name finds them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TextPane</name>
    <message>
      <source>Position in the document</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Thumbnails</name>
    <message>
      <source>Pages</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TimeLeft</name>
    <message>
      <source>a few seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about a day or more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about a minute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about a quarter of an hour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about an hour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about half a minute</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about half an hour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about {0} hours</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>about {0} minutes</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Timeline</name>
    <message>
      <source>Answered in {time}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Queued: begins when another answer is finished</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched for {time}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Steps of this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stopped after {time}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The endpoint asks to wait: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Thinking</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Trying again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Waiting for your decision</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Waiting for your decision: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Writing the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{1}. Trying again in {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TimelineHeader</name>
    <message>
      <source>Shows or hides the steps of this run</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Toast</name>
    <message>
      <source>Close this note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TokenMeter</name>
    <message>
      <source>Context: {used}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No run yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The context is nearly full</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This run: {tokens}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tokens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>~ means estimated: the endpoint reports no token counts</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ToolRow</name>
    <message>
      <source>Find in this document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outline, pages, matches, bookmarks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Wrap long lines</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>TurnView</name>
    <message numerus="yes">
      <source>%Ln passage(s) read</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>A limit ended the search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add a folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After this step: {passages}, {documents}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answer again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answer now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask again from a step…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Branch from here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare with another run…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Continue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Continue from here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Continue searching</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy as Markdown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy as plain text</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Interrupted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>More about this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found in your library</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>Not in the %Ln document(s) chosen</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Not supported by your library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing that was read supports this answer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing was written yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search again, without the model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search all documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search further?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The answer uses what was found until then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The documents that were searched do not answer this. Try other words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The program ended before the answer was complete.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The program ended before this question was asked.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What was written so far is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You stopped this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} Nothing was written yet.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>VariantSwitch</name>
    <message>
      <source>Next variant</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous variant</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Variant {place} of {count}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Variants of this question</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ViewChoice</name>
    <message>
      <source>Page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show it as a clean page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show it as a table</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the lines of the file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the printed pages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the text that was read from it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Source</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Table</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Text</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ViewerPanel</name>
    <message>
      <source>Add a note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to where you were</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close the document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edit the note</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forward again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In a document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Larger</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next citation of the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next match</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No document is open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On a selected bookmark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a source of an answer to read it here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outline, pages, matches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous citation of the answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous match</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Smaller</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Usual size</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>WelcomeView</name>
    <message>
      <source>Add a folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask your documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Connect a model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Connect its disk, or choose another library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Drop one anywhere on this window. You can search it within seconds.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every answer cites the lines it is based on. Click a number to see them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No model is connected, so answers are quotes from your documents.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading your documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start with a folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This library cannot be found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>You can ask as soon as the first of them is read.</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>WhyDialog</name>
    <message>
      <source>A file or folder; drop it here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A search it should be found by (optional)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a file, or drop one here, to see why it is found or not.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>File</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>File or folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Read it again now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show in the document</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Which file?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is a file found or not?</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>Wording</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln request(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln statement(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln step(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln word(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more search(es)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more step(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more token(s)</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
    <message>
      <source>Allow {time} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another statement that cites it is not supported: {why}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not supported: {why}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not word for word: these lines come closest.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing that was read says this.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Supported, but at other lines than the model named.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Supported: computed from {places}, {sum}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Supported: names and figures agree with the cited lines.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The model names no source in your documents for this.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The quoted words stand here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The quoted words stand nowhere in what was read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The words stand here, not where the model said.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The words stand here; the model named {place}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>cited figures</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>line {line}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>lines {first}–{last}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no cited line has the figure {text}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no cited line mentions {text}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nothing that was read says this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>p. {page}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>page {page} · {lines}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the cited lines do not say this</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the lines do not say “{text}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the lines say “{found}”, not “{text}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{minutes} min {seconds} s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} not</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} not supported</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} supported</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{n} without a source</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{seconds} s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{text}” stands nowhere in what was read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{words}”
— {source}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>WorkMenu</name>
    <message>
      <source>Background work</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause reading</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause until tomorrow morning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Paused until {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Waiting for mains power</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Waiting until the computer is idle</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Work at any time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Work only on mains power</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Work only while the computer is idle</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, {1}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>ZoomTools</name>
    <message>
      <source>Fit page</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fit width</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Larger</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Smaller</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} %</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>_Pages</name>
    <message>
      <source>Page {0}</source>
      <translation type="unfinished" />
    </message>
  </context>
  <context>
    <name>_Sheet</name>
    <message>
      <source>Answer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answer: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Answered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Both</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cited</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Documents</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only here: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Outcome</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Question</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Then</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unfinished</source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation type="unfinished">
        <numerusform />
      </translation>
    </message>
  </context>
</TS>
