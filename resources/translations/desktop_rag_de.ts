<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>AboutDialog</name>
    <message>
      <source>About Desktop RAG</source>
      <translation>Über Desktop RAG</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Drop a folder, ask a question, click the line that proves the answer.</source>
      <translation>Ordner ablegen, Frage stellen, auf die Zeile klicken, die die Antwort belegt.</translation>
    </message>
    <message>
      <source>Free software under the GNU Affero General Public License, version 3 or later.</source>
      <translation>Freie Software unter der GNU Affero General Public License, Version 3 oder neuer.</translation>
    </message>
    <message>
      <source>It connects only to addresses you set yourself: to your model, and to one for updates if you ask.</source>
      <translation>Verbindungen führen nur zu Adressen, die Sie selbst einstellen: zu Ihrem Modell und, wenn Sie nach Aktualisierungen suchen, zu einer dafür.</translation>
    </message>
    <message>
      <source>Version {0}</source>
      <translation>Version {0}</translation>
    </message>
  </context>
  <context>
    <name>ActionDialog</name>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
  </context>
  <context>
    <name>ActiveFilters</name>
    <message>
      <source>Remove this filter</source>
      <translation>Diesen Filter entfernen</translation>
    </message>
  </context>
  <context>
    <name>AdvancedFields</name>
    <message>
      <source>A cheaper model at the same address; the method “Automatic” uses it to sort the questions.</source>
      <translation>Ein günstigeres Modell unter derselben Adresse; die Methode „Automatisch“ ordnet damit die Fragen ein.</translation>
    </message>
    <message>
      <source>Default of the model</source>
      <translation>Vorgabe des Modells</translation>
    </message>
    <message>
      <source>Fast model</source>
      <translation>Schnelles Modell</translation>
    </message>
    <message>
      <source>Fast model's price</source>
      <translation>Preis des schnellen Modells</translation>
    </message>
    <message>
      <source>Fast model: input price per million tokens</source>
      <translation>Schnelles Modell: Eingabepreis je Million Token</translation>
    </message>
    <message>
      <source>Fast model: output price per million tokens</source>
      <translation>Schnelles Modell: Ausgabepreis je Million Token</translation>
    </message>
    <message>
      <source>Fewer settings</source>
      <translation>Weniger Einstellungen</translation>
    </message>
    <message>
      <source>High</source>
      <translation>Hoch</translation>
    </message>
    <message>
      <source>Input price per million tokens</source>
      <translation>Eingabepreis je Million Token</translation>
    </message>
    <message>
      <source>Low</source>
      <translation>Niedrig</translation>
    </message>
    <message>
      <source>Medium</source>
      <translation>Mittel</translation>
    </message>
    <message>
      <source>Minimal</source>
      <translation>Minimal</translation>
    </message>
    <message>
      <source>More settings</source>
      <translation>Mehr Einstellungen</translation>
    </message>
    <message>
      <source>None: rules choose how to answer</source>
      <translation>Keines: Regeln bestimmen, wie geantwortet wird</translation>
    </message>
    <message>
      <source>Not set</source>
      <translation>Nicht gesetzt</translation>
    </message>
    <message>
      <source>Off</source>
      <translation>Aus</translation>
    </message>
    <message>
      <source>Output price per million tokens</source>
      <translation>Ausgabepreis je Million Token</translation>
    </message>
    <message>
      <source>Per million tokens, in any currency. If not set, only tokens are counted.</source>
      <translation>Je Million Token, in beliebiger Währung. Ohne Angabe werden nur Token gezählt.</translation>
    </message>
    <message>
      <source>Presets</source>
      <translation>Vorgaben</translation>
    </message>
    <message>
      <source>Presets of temperature and top-p</source>
      <translation>Vorgaben für Temperatur und Top-p</translation>
    </message>
    <message>
      <source>Price: input, output</source>
      <translation>Preis: Eingabe, Ausgabe</translation>
    </message>
    <message>
      <source>Reasoning effort</source>
      <translation>Denkaufwand</translation>
    </message>
    <message>
      <source>Sampling, reasoning effort, fast model and prices</source>
      <translation>Sampling, Denkaufwand, schnelles Modell und Preise</translation>
    </message>
    <message>
      <source>Temperature</source>
      <translation>Temperatur</translation>
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
      <translation>Noch einmal antworten</translation>
    </message>
    <message>
      <source>Ask again from a step…</source>
      <translation>Ab einem Schritt noch einmal fragen…</translation>
    </message>
    <message>
      <source>Branch from here</source>
      <translation>Von hier abzweigen</translation>
    </message>
    <message>
      <source>Compare with another run…</source>
      <translation>Mit einem anderen Lauf vergleichen…</translation>
    </message>
    <message>
      <source>Copy the answer as Markdown</source>
      <translation>Antwort als Markdown kopieren</translation>
    </message>
    <message>
      <source>Copy the answer as plain text</source>
      <translation>Antwort als reinen Text kopieren</translation>
    </message>
    <message>
      <source>In an answer and its sources</source>
      <translation>In einer Antwort und ihren Quellen</translation>
    </message>
    <message>
      <source>No answer is shown</source>
      <translation>Es wird keine Antwort angezeigt</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>In den Notizen speichern</translation>
    </message>
    <message>
      <source>Search again, without the model</source>
      <translation>Noch einmal suchen, ohne das Modell</translation>
    </message>
    <message>
      <source>The answer is not complete</source>
      <translation>Die Antwort ist noch nicht vollständig</translation>
    </message>
  </context>
  <context>
    <name>AnswerMethods</name>
    <message>
      <source>A variant for comparisons</source>
      <translation>Eine Variante für Vergleiche</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>Automatisch</translation>
    </message>
    <message>
      <source>Direct</source>
      <translation>Direkt</translation>
    </message>
    <message>
      <source>Finds the words themselves, nothing by meaning</source>
      <translation>Findet die Wörter selbst, nichts nach der Bedeutung</translation>
    </message>
    <message>
      <source>From the model's memory, without your documents</source>
      <translation>Aus dem Gedächtnis des Modells, ohne Ihre Dokumente</translation>
    </message>
    <message>
      <source>Literal</source>
      <translation>Wörtlich</translation>
    </message>
    <message>
      <source>Naive RAG</source>
      <translation>Einfaches RAG</translation>
    </message>
    <message>
      <source>One search, one answer</source>
      <translation>Eine Suche, eine Antwort</translation>
    </message>
    <message>
      <source>Plans first, then searches in plain language</source>
      <translation>Plant zuerst, sucht dann in gewöhnlicher Sprache</translation>
    </message>
    <message>
      <source>Plans first, then searches with AND, OR and NOT</source>
      <translation>Plant zuerst, sucht dann mit AND, OR und NOT</translation>
    </message>
    <message>
      <source>Quick</source>
      <translation>Schnell</translation>
    </message>
    <message>
      <source>Quick for simple questions, several steps for others</source>
      <translation>Schnell bei einfachen Fragen, sonst in mehreren Schritten</translation>
    </message>
    <message>
      <source>Searches, reads and checks in several steps</source>
      <translation>Sucht, liest und prüft in mehreren Schritten</translation>
    </message>
    <message>
      <source>Searches, then finds and opens inside the documents</source>
      <translation>Sucht, findet und öffnet dann in den Dokumenten</translation>
    </message>
    <message>
      <source>The five nearest passages, one answer</source>
      <translation>Die fünf nächsten Stellen, eine Antwort</translation>
    </message>
    <message>
      <source>Thorough</source>
      <translation>Gründlich</translation>
    </message>
    <message>
      <source>Words or meaning, then whole passages, one tool at a time</source>
      <translation>Wörter oder Bedeutung, dann ganze Stellen, ein Werkzeug nach dem anderen</translation>
    </message>
  </context>
  <context>
    <name>AnswerView</name>
    <message>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Copy answer as Markdown</source>
      <translation>Antwort als Markdown kopieren</translation>
    </message>
    <message>
      <source>Copy answer as plain text</source>
      <translation>Antwort als reinen Text kopieren</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>Alles auswählen</translation>
    </message>
    <message>
      <source>The file: {note}.</source>
      <translation>Die Datei: {note}.</translation>
    </message>
  </context>
  <context>
    <name>AnswersPage</name>
    <message>
      <source>A second look by the model</source>
      <translation>Ein zweiter Blick des Modells</translation>
    </message>
    <message>
      <source>A statement without a source in your documents</source>
      <translation>Eine Aussage ohne Quelle in Ihren Dokumenten</translation>
    </message>
    <message>
      <source>Costs one more request, about 130 tokens a statement. What the model reads counts only with words that stand in these lines. Off: what nobody compared is shown as “not checked”.</source>
      <translation>Kostet eine weitere Anfrage, etwa 130 Token je Aussage. Was das Modell liest, zählt nur mit Worten, die in diesen Zeilen stehen. Aus: Was niemand verglichen hat, heißt „nicht geprüft“.</translation>
    </message>
    <message>
      <source>Have the model compare statements with their lines</source>
      <translation>Aussagen vom Modell mit ihren Zeilen vergleichen</translation>
    </message>
    <message>
      <source>Mark it</source>
      <translation>Kennzeichnen</translation>
    </message>
    <message>
      <source>Models also state what they remember from their training. A statement without a citation is always marked or replaced.</source>
      <translation>Modelle behaupten auch, was sie aus ihrem Training wissen. Eine Aussage ohne Beleg wird immer gekennzeichnet oder ersetzt.</translation>
    </message>
    <message>
      <source>Replace it with a note</source>
      <translation>Durch einen Hinweis ersetzen</translation>
    </message>
    <message>
      <source>Suggest questions below the last answer</source>
      <translation>Unter der letzten Antwort Fragen vorschlagen</translation>
    </message>
    <message>
      <source>The next question</source>
      <translation>Die nächste Frage</translation>
    </message>
    <message>
      <source>They are made from the lines that were read, without asking a model.</source>
      <translation>Sie entstehen aus den gelesenen Zeilen, ohne ein Modell zu fragen.</translation>
    </message>
  </context>
  <context>
    <name>App</name>
    <message>
      <source>Built-in (no model)</source>
      <translation>Eingebaut (kein Modell)</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>Dokument</translation>
    </message>
    <message>
      <source>Link copied</source>
      <translation>Link kopiert</translation>
    </message>
    <message>
      <source>Quote copied</source>
      <translation>Zitat kopiert</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>Summarise this document in five sentences. Then write three questions that it answers.</source>
      <translation>Fasse dieses Dokument in fünf Sätzen zusammen. Schreibe dann drei Fragen, die es beantwortet.</translation>
    </message>
    <message>
      <source>“{0}” failed: {1}</source>
      <translation>„{0}“ ist fehlgeschlagen: {1}</translation>
    </message>
    <message>
      <source>“{0}” has its answer</source>
      <translation>„{0}“ ist beantwortet</translation>
    </message>
    <message>
      <source>“{0}” has reached a limit and asks whether to go on</source>
      <translation>„{0}“ hat eine Grenze erreicht und fragt, ob es weitergeht</translation>
    </message>
    <message>
      <source>“{0}” was stopped</source>
      <translation>„{0}“ wurde angehalten</translation>
    </message>
    <message>
      <source>“{0}”: no answer found in your library</source>
      <translation>„{0}“: keine Antwort in Ihrer Bibliothek gefunden</translation>
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
      <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
    </message>
    <message>
      <source>Comfortable</source>
      <translation>Bequem</translation>
    </message>
    <message>
      <source>Compact: more rows on the screen</source>
      <translation>Kompakt: mehr Zeilen auf dem Bildschirm</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Density</source>
      <translation>Dichte</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <source>Size of the text</source>
      <translation>Schriftgröße</translation>
    </message>
    <message>
      <source>The font size of the whole window, answers and documents included. 100 % is that of the system.</source>
      <translation>Die Schriftgröße im ganzen Fenster, auch in Antworten und Dokumenten. 100 % ist die des Systems.</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>Farben</translation>
    </message>
  </context>
  <context>
    <name>AttachFolderDialog</name>
    <message>
      <source>Add to the library</source>
      <translation>Zur Bibliothek hinzufügen</translation>
    </message>
    <message>
      <source>Attached, only this conversation finds it, and forgets it when you delete the conversation.</source>
      <translation>Angehängt findet ihn nur dieses Gespräch, und es vergisst ihn, wenn Sie das Gespräch löschen.</translation>
    </message>
    <message>
      <source>In the library every conversation and every search finds it.</source>
      <translation>In der Bibliothek findet ihn jedes Gespräch und jede Suche.</translation>
    </message>
    <message>
      <source>Only this conversation</source>
      <translation>Nur dieses Gespräch</translation>
    </message>
    <message>
      <source>Where does “{0}” belong?</source>
      <translation>Wohin gehört „{0}“?</translation>
    </message>
  </context>
  <context>
    <name>AttachmentChip</name>
    <message numerus="yes">
      <source>%Ln file(s) (has|have) only pictures, no text</source>
      <translation>
        <numerusform>%Ln Datei hat nur Bilder, keinen Text</numerusform>
        <numerusform>%Ln Dateien haben nur Bilder, keinen Text</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) (is|are) being read</source>
      <translation>
        <numerusform>%Ln Datei wird gelesen</numerusform>
        <numerusform>%Ln Dateien werden gelesen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) (is|are) not read yet</source>
      <translation>
        <numerusform>%Ln Datei ist noch nicht gelesen</numerusform>
        <numerusform>%Ln Dateien sind noch nicht gelesen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) cannot be read</source>
      <translation>
        <numerusform>%Ln Datei kann nicht gelesen werden</numerusform>
        <numerusform>%Ln Dateien können nicht gelesen werden</numerusform>
      </translation>
    </message>
    <message>
      <source>Click to open it, × to remove it from this conversation.</source>
      <translation>Klick: öffnen; ×: aus diesem Gespräch entfernen.</translation>
    </message>
    <message>
      <source>It cannot be read.</source>
      <translation>Der Anhang kann nicht gelesen werden.</translation>
    </message>
    <message>
      <source>It has no files</source>
      <translation>Er enthält keine Dateien</translation>
    </message>
    <message>
      <source>Searched in this conversation only</source>
      <translation>Wird nur in diesem Gespräch durchsucht</translation>
    </message>
    <message>
      <source>empty</source>
      <translation>leer</translation>
    </message>
    <message>
      <source>no text</source>
      <translation>kein Text</translation>
    </message>
    <message>
      <source>not read</source>
      <translation>nicht gelesen</translation>
    </message>
    <message>
      <source>reading…</source>
      <translation>wird gelesen…</translation>
    </message>
    <message>
      <source>waiting</source>
      <translation>wartet</translation>
    </message>
    <message>
      <source>{0}, attached to this conversation; Delete removes it</source>
      <translation>{0}, an dieses Gespräch angehängt; Entf entfernt es</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}: {1}</translation>
    </message>
  </context>
  <context>
    <name>AttachmentControl</name>
    <message>
      <source>A team library takes no attachments. Ask about files in a library on this computer.</source>
      <translation>Eine Team-Bibliothek nimmt keine Anhänge. Fragen Sie nach Dateien in einer Bibliothek auf diesem Computer.</translation>
    </message>
    <message>
      <source>Attach files to this conversation</source>
      <translation>Dateien an dieses Gespräch anhängen</translation>
    </message>
    <message>
      <source>“{0}” is no longer attached</source>
      <translation>„{0}“ ist nicht mehr angehängt</translation>
    </message>
  </context>
  <context>
    <name>Banner</name>
    <message>
      <source>Below is the current file.</source>
      <translation>Unten steht die heutige Datei.</translation>
    </message>
    <message>
      <source>Hide this note</source>
      <translation>Diesen Hinweis ausblenden</translation>
    </message>
    <message>
      <source>It no longer contains the quoted words. Below is the current file.</source>
      <translation>Sie enthält die zitierten Worte nicht mehr. Unten steht die heutige Datei.</translation>
    </message>
    <message>
      <source>It still contains the quoted words, now on {0}.</source>
      <translation>Sie enthält die zitierten Worte noch, jetzt auf {0}.</translation>
    </message>
    <message>
      <source>Its text is shown as it was last read.</source>
      <translation>Ihr Text wird gezeigt, wie er zuletzt gelesen wurde.</translation>
    </message>
    <message>
      <source>Only a part of this file could be read</source>
      <translation>Nur ein Teil dieser Datei konnte gelesen werden</translation>
    </message>
    <message>
      <source>The folder of this file is not connected</source>
      <translation>Der Ordner dieser Datei ist nicht verbunden</translation>
    </message>
    <message>
      <source>This file has changed since it was found</source>
      <translation>Diese Datei hat sich geändert, seit sie gefunden wurde</translation>
    </message>
    <message>
      <source>This file has changed since the answer was written</source>
      <translation>Diese Datei hat sich seit der Antwort geändert</translation>
    </message>
    <message>
      <source>This file is no longer in your library</source>
      <translation>Diese Datei ist nicht mehr in Ihrer Bibliothek</translation>
    </message>
    <message>
      <source>This is the passage as it was when the answer was written.</source>
      <translation>Das ist die Stelle, wie sie zur Zeit der Antwort war.</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
  </context>
  <context>
    <name>BlockButtons</name>
    <message>
      <source>Copy code</source>
      <translation>Code kopieren</translation>
    </message>
    <message>
      <source>Copy table as CSV</source>
      <translation>Tabelle als CSV kopieren</translation>
    </message>
  </context>
  <context>
    <name>BookmarkControl</name>
    <message>
      <source>Bookmarked</source>
      <translation>Lesezeichen gesetzt</translation>
    </message>
    <message>
      <source>Bookmarked with your note</source>
      <translation>Lesezeichen mit Ihrer Notiz gesetzt</translation>
    </message>
    <message>
      <source>Bookmarks and notes saved to {0}</source>
      <translation>Lesezeichen und Notizen gespeichert in {0}</translation>
    </message>
  </context>
  <context>
    <name>BookmarkList</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation>Lesezeichen und Notizen</translation>
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation>Lesezeichen löschen</translation>
    </message>
    <message>
      <source>Edit the note…</source>
      <translation>Notiz bearbeiten…</translation>
    </message>
    <message>
      <source>Show this passage</source>
      <translation>Diese Stelle zeigen</translation>
    </message>
  </context>
  <context>
    <name>Bookmarking</name>
    <message>
      <source>Bookmarks and notes</source>
      <translation>Lesezeichen und Notizen</translation>
    </message>
    <message>
      <source>Export bookmarks and notes</source>
      <translation>Lesezeichen und Notizen exportieren</translation>
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
      <translation>Lesezeichen und Notizen</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>Als Markdown exportieren…</translation>
    </message>
    <message>
      <source>Find a bookmark or note</source>
      <translation>Lesezeichen oder Notiz suchen</translation>
    </message>
    <message>
      <source>No bookmark contains these words.</source>
      <translation>Kein Lesezeichen enthält diese Wörter.</translation>
    </message>
    <message>
      <source>Nothing is bookmarked yet.
Open a document and press Ctrl+M at a passage.</source>
      <translation>Es gibt noch keine Lesezeichen.
Öffnen Sie ein Dokument und drücken Sie an einer Stelle Strg+M.</translation>
    </message>
  </context>
  <context>
    <name>BrowserDialog</name>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>It comes from a document, an answer or a server. {0} receives all of it.</source>
      <translation>Sie stammt aus einem Dokument, einer Antwort oder von einem Server. {0} erhält sie vollständig.</translation>
    </message>
    <message>
      <source>Open an address of {0}?</source>
      <translation>Eine Adresse von {0} öffnen?</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>Im Browser öffnen</translation>
    </message>
  </context>
  <context>
    <name>BudgetDialog</name>
    <message numerus="yes">
      <source>%Ln cell(s)</source>
      <translation>
        <numerusform>%Ln Zelle</numerusform>
        <numerusform>%Ln Zellen</numerusform>
      </translation>
    </message>
    <message>
      <source>Every value is kept as it comes. You can stop at any time and go on later.</source>
      <translation>Jeder Wert bleibt erhalten, sobald er da ist. Sie können jederzeit anhalten und später weitermachen.</translation>
    </message>
    <message>
      <source>Fill</source>
      <translation>Ausfüllen</translation>
    </message>
    <message>
      <source>Fill the table?</source>
      <translation>Die Tabelle ausfüllen?</translation>
    </message>
    <message>
      <source>That is at most {0}.</source>
      <translation>Das kostet höchstens {0}.</translation>
    </message>
    <message>
      <source>{0} by {1}: at most {2} requests and {3} tokens.</source>
      <translation>{0} mit {1}: höchstens {2} Anfragen und {3} Tokens.</translation>
    </message>
  </context>
  <context>
    <name>CallGroup</name>
    <message numerus="yes">
      <source>%Ln action(s) at once</source>
      <translation>
        <numerusform>%Ln Aktion gleichzeitig</numerusform>
        <numerusform>%Ln Aktionen gleichzeitig</numerusform>
      </translation>
    </message>
    <message>
      <source>{0} of {1} done</source>
      <translation>{0} von {1} fertig</translation>
    </message>
  </context>
  <context>
    <name>CallGroupHeader</name>
    <message>
      <source>Hides these actions</source>
      <translation>Verbirgt diese Aktionen</translation>
    </message>
    <message>
      <source>Shows these actions</source>
      <translation>Zeigt diese Aktionen</translation>
    </message>
  </context>
  <context>
    <name>CitationButtons</name>
    <message>
      <source>Citation {0} of {1}</source>
      <translation>Beleg {0} von {1}</translation>
    </message>
    <message>
      <source>Next citation of this answer</source>
      <translation>Nächster Beleg dieser Antwort</translation>
    </message>
    <message>
      <source>Previous citation of this answer</source>
      <translation>Voriger Beleg dieser Antwort</translation>
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
      <translation>Beleg {number}: {name}, {place}</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>Zitat mit Quelle kopieren</translation>
    </message>
    <message>
      <source>Keep this card open</source>
      <translation>Diese Karte offen halten</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>The cited lines on their page</source>
      <translation>Die belegten Zeilen auf ihrer Seite</translation>
    </message>
  </context>
  <context>
    <name>CitationMenu</name>
    <message>
      <source>Copy as BibTeX</source>
      <translation>Als BibTeX kopieren</translation>
    </message>
    <message>
      <source>Copy as CSL-JSON</source>
      <translation>Als CSL-JSON kopieren</translation>
    </message>
    <message>
      <source>Copy as Markdown</source>
      <translation>Als Markdown kopieren</translation>
    </message>
    <message>
      <source>Copy link</source>
      <translation>Link kopieren</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <source>Copy path and lines</source>
      <translation>Pfad und Zeilen kopieren</translation>
    </message>
    <message>
      <source>Copy quote</source>
      <translation>Zitat kopieren</translation>
    </message>
    <message>
      <source>Copy reference</source>
      <translation>Quellenangabe kopieren</translation>
    </message>
    <message>
      <source>Open the source</source>
      <translation>Quelle öffnen</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>In den Notizen speichern</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>Show the passage</source>
      <translation>Stelle zeigen</translation>
    </message>
  </context>
  <context>
    <name>CommandPalette</name>
    <message>
      <source>Commands</source>
      <translation>Befehle</translation>
    </message>
    <message>
      <source>Find a command</source>
      <translation>Befehl suchen</translation>
    </message>
    <message>
      <source>Nothing has this name</source>
      <translation>Nichts heißt so</translation>
    </message>
    <message>
      <source>Type a command, document, conversation or setting</source>
      <translation>Befehl, Dokument, Gespräch oder Einstellung eingeben</translation>
    </message>
  </context>
  <context>
    <name>CommandRow</name>
    <message>
      <source>Command</source>
      <translation>Befehl</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
  </context>
  <context>
    <name>ComparedAnswers</name>
    <message>
      <source>Answer: {0}</source>
      <translation>Antwort: {0}</translation>
    </message>
    <message>
      <source>Comparing the answers …</source>
      <translation>Die Antworten werden verglichen …</translation>
    </message>
    <message>
      <source>Next part</source>
      <translation>Nächster Teil</translation>
    </message>
    <message>
      <source>Only here: {0}</source>
      <translation>Nur hier: {0}</translation>
    </message>
    <message>
      <source>Part {place} of {count}</source>
      <translation>Teil {place} von {count}</translation>
    </message>
    <message>
      <source>Parts of long answers</source>
      <translation>Teile langer Antworten</translation>
    </message>
    <message>
      <source>Previous part</source>
      <translation>Voriger Teil</translation>
    </message>
  </context>
  <context>
    <name>ComparisonDialog</name>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Compare runs</source>
      <translation>Läufe vergleichen</translation>
    </message>
    <message>
      <source>Run to compare with</source>
      <translation>Lauf zum Vergleichen</translation>
    </message>
    <message>
      <source>The same searches, now</source>
      <translation>Dieselben Suchen, heute</translation>
    </message>
  </context>
  <context>
    <name>Composer</name>
    <message>
      <source>Allow more steps</source>
      <translation>Mehr Schritte erlauben</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>Fragen</translation>
    </message>
    <message>
      <source>Ask your documents</source>
      <translation>Fragen Sie Ihre Dokumente</translation>
    </message>
    <message>
      <source>Attach files to this conversation</source>
      <translation>Dateien an dieses Gespräch anhängen</translation>
    </message>
    <message>
      <source>Attach files…</source>
      <translation>Dateien anhängen…</translation>
    </message>
    <message>
      <source>Built-in (no model)</source>
      <translation>Eingebaut (kein Modell)</translation>
    </message>
    <message>
      <source>Connect a model…</source>
      <translation>Modell verbinden…</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <source>Earlier question</source>
      <translation>Frühere Frage</translation>
    </message>
    <message>
      <source>In the question field</source>
      <translation>Im Fragefeld</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Methode</translation>
    </message>
    <message>
      <source>Method: {name}</source>
      <translation>Methode: {name}</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Model: {name}</source>
      <translation>Modell: {name}</translation>
    </message>
    <message>
      <source>New line</source>
      <translation>Neue Zeile</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Research</source>
      <translation>Forschung</translation>
    </message>
    <message>
      <source>Stop the answer</source>
      <translation>Antwort anhalten</translation>
    </message>
    <message>
      <source>Write a note to the model; it reads it before its next step</source>
      <translation>Notiz an das Modell; es liest sie vor seinem nächsten Schritt</translation>
    </message>
  </context>
  <context>
    <name>ComputedSums</name>
    <message>
      <source>Computed here:</source>
      <translation>Hier berechnet:</translation>
    </message>
  </context>
  <context>
    <name>ConnectCards</name>
    <message>
      <source>A GGUF file runs in this program, without another one. Nothing leaves this computer.</source>
      <translation>Eine GGUF-Datei läuft in diesem Programm, ohne ein anderes. Nichts verlässt diesen Computer.</translation>
    </message>
    <message>
      <source>A model file</source>
      <translation>Eine Modelldatei</translation>
    </message>
    <message>
      <source>A provider and a key</source>
      <translation>Ein Anbieter und ein Schlüssel</translation>
    </message>
    <message>
      <source>Address of the new model</source>
      <translation>Adresse des neuen Modells</translation>
    </message>
    <message>
      <source>Another address</source>
      <translation>Eine andere Adresse</translation>
    </message>
    <message>
      <source>Choose a model file…</source>
      <translation>Modelldatei wählen …</translation>
    </message>
    <message>
      <source>Choose a provider</source>
      <translation>Anbieter wählen</translation>
    </message>
    <message>
      <source>Click the model to answer with</source>
      <translation>Klicken Sie auf das Modell, das antworten soll</translation>
    </message>
    <message>
      <source>Connecting…</source>
      <translation>Verbindet…</translation>
    </message>
    <message>
      <source>Found on this computer</source>
      <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
      <source>Key of the new model</source>
      <translation>Schlüssel des neuen Modells</translation>
    </message>
    <message>
      <source>Keys are made at {0}.</source>
      <translation>Schlüssel gibt es unter {0}.</translation>
    </message>
    <message>
      <source>Look for models</source>
      <translation>Nach Modellen suchen</translation>
    </message>
    <message>
      <source>Looking…</source>
      <translation>Sucht…</translation>
    </message>
    <message>
      <source>Name of the new model</source>
      <translation>Name des neuen Modells</translation>
    </message>
    <message>
      <source>No model answered on this computer. Start Ollama, LM Studio or another one, and look again.</source>
      <translation>Auf diesem Computer hat kein Modell geantwortet. Starten Sie Ollama, LM Studio oder ein anderes Programm und suchen Sie erneut.</translation>
    </message>
    <message>
      <source>Ollama, LM Studio, llama.cpp and others. A click looks for them on this computer only.</source>
      <translation>Ollama, LM Studio, llama.cpp und andere. Ein Klick sucht sie nur auf diesem Computer.</translation>
    </message>
    <message>
      <source>Passages that answer your questions are sent there. You are asked before the first one is.</source>
      <translation>Textstellen, die Ihre Fragen beantworten, werden dorthin gesendet. Vor der ersten werden Sie gefragt.</translation>
    </message>
    <message>
      <source>Paste the key; it is kept in the keychain of your system</source>
      <translation>Schlüssel einfügen; er bleibt im Schlüsselbund Ihres Systems</translation>
    </message>
    <message>
      <source>Provider</source>
      <translation>Anbieter</translation>
    </message>
    <message>
      <source>Show its models</source>
      <translation>Modelle zeigen</translation>
    </message>
    <message>
      <source>Use this model</source>
      <translation>Dieses Modell verwenden</translation>
    </message>
  </context>
  <context>
    <name>ConnectionFields</name>
    <message>
      <source> seconds</source>
      <translation> Sekunden</translation>
    </message>
    <message>
      <source>A local server may load the model and read a long prompt first.</source>
      <translation>Ein lokaler Server lädt vielleicht erst das Modell und liest eine lange Anfrage.</translation>
    </message>
    <message>
      <source>API</source>
      <translation>API</translation>
    </message>
    <message>
      <source>API, certificates, proxy, waiting time and this computer only</source>
      <translation>API, Zertifikate, Proxy, Wartezeit und nur dieser Computer</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>Automatisch</translation>
    </message>
    <message>
      <source>Automatic asks for chat completions until the model demands the other one.</source>
      <translation>„Automatisch“ fragt nach Chat Completions, bis das Modell die andere Schnittstelle verlangt.</translation>
    </message>
    <message>
      <source>Certificate file</source>
      <translation>Zertifikatsdatei</translation>
    </message>
    <message>
      <source>Choose a certificate file</source>
      <translation>Zertifikatsdatei wählen</translation>
    </message>
    <message>
      <source>Choose a client certificate</source>
      <translation>Client-Zertifikat wählen</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Auswählen…</translation>
    </message>
    <message>
      <source>Client certificate</source>
      <translation>Client-Zertifikat</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Verbindung</translation>
    </message>
    <message>
      <source>First words within</source>
      <translation>Erste Wörter binnen</translation>
    </message>
    <message>
      <source>Hide the connection</source>
      <translation>Verbindung ausblenden</translation>
    </message>
    <message>
      <source>Nothing is sent if the address is, or becomes, that of another computer.</source>
      <translation>Nichts wird gesendet, wenn die Adresse zu einem anderen Computer gehört oder später gehören wird.</translation>
    </message>
    <message>
      <source>Only if it is asked for</source>
      <translation>Nur wenn danach gefragt wird</translation>
    </message>
    <message>
      <source>Only on this computer</source>
      <translation>Nur auf diesem Computer</translation>
    </message>
    <message>
      <source>Proxy</source>
      <translation>Proxy</translation>
    </message>
    <message>
      <source>The system's certificates</source>
      <translation>Die Zertifikate des Systems</translation>
    </message>
    <message>
      <source>The system's; “{0}” for none</source>
      <translation>Der des Systems; „{0}“ für keinen</translation>
    </message>
    <message>
      <source>What it was found to take…</source>
      <translation>Was es annimmt …</translation>
    </message>
  </context>
  <context>
    <name>ConversationControl</name>
    <message>
      <source>Wait for this answer, or press Stop to ask the next question.</source>
      <translation>Warten Sie auf diese Antwort, oder halten Sie sie an, um die nächste Frage zu stellen.</translation>
    </message>
  </context>
  <context>
    <name>ConversationExport</name>
    <message>
      <source>Conversation</source>
      <translation>Gespräch</translation>
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
      <translation>Quellen</translation>
    </message>
    <message>
      <source>Sources as BibTeX</source>
      <translation>Quellen als BibTeX</translation>
    </message>
    <message>
      <source>Sources as CSL-JSON</source>
      <translation>Quellen als CSL-JSON</translation>
    </message>
    <message>
      <source>Sources as RIS</source>
      <translation>Quellen als RIS</translation>
    </message>
    <message>
      <source>This answer is not complete.</source>
      <translation>Diese Antwort ist nicht vollständig.</translation>
    </message>
    <message>
      <source>Web page</source>
      <translation>Webseite</translation>
    </message>
    <message>
      <source>Word document</source>
      <translation>Word-Dokument</translation>
    </message>
    <message>
      <source>it is read-only</source>
      <translation>sie ist schreibgeschützt</translation>
    </message>
    <message>
      <source>{file}, {place}</source>
      <translation>{file}, {place}</translation>
    </message>
    <message>
      <source>{file}, {place}: “{quote}”</source>
      <translation>{file}, {place}: „{quote}“</translation>
    </message>
    <message>
      <source>{path} cannot be written ({reason}). Nothing there was changed; choose another place.</source>
      <translation>{path} kann nicht geschrieben werden ({reason}). Dort wurde nichts geändert; wählen Sie einen anderen Ort.</translation>
    </message>
  </context>
  <context>
    <name>ConversationGroups</name>
    <message>
      <source>Archived</source>
      <translation>Archiviert</translation>
    </message>
    <message>
      <source>Earlier in {0}</source>
      <translation>Früher im {0}</translation>
    </message>
    <message>
      <source>Pinned</source>
      <translation>Angeheftet</translation>
    </message>
    <message>
      <source>This week</source>
      <translation>Diese Woche</translation>
    </message>
    <message>
      <source>Today</source>
      <translation>Heute</translation>
    </message>
    <message>
      <source>Yesterday</source>
      <translation>Gestern</translation>
    </message>
    <message>
      <source>{0} {1}</source>
      <translation>{0} {1}</translation>
    </message>
  </context>
  <context>
    <name>ConversationPane</name>
    <message>
      <source>Card of a citation; again: keep it open</source>
      <translation>Karte eines Belegs; noch einmal: offen halten</translation>
    </message>
    <message>
      <source>Close the card</source>
      <translation>Karte schließen</translation>
    </message>
    <message>
      <source>Next citation</source>
      <translation>Nächster Beleg</translation>
    </message>
    <message>
      <source>Open the citation</source>
      <translation>Beleg öffnen</translation>
    </message>
  </context>
  <context>
    <name>ConversationRepository</name>
    <message>
      <source>Your conversations</source>
      <translation>Ihre Gespräche</translation>
    </message>
  </context>
  <context>
    <name>ConversationView</name>
    <message>
      <source>Conversation</source>
      <translation>Gespräch</translation>
    </message>
    <message>
      <source>Jump to latest</source>
      <translation>Zum Neuesten springen</translation>
    </message>
  </context>
  <context>
    <name>ConversationsModel</name>
    <message>
      <source>Being answered</source>
      <translation>Wird beantwortet</translation>
    </message>
    <message>
      <source>Draft</source>
      <translation>Entwurf</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>Fehlgeschlagen</translation>
    </message>
    <message>
      <source>Interrupted</source>
      <translation>Unterbrochen</translation>
    </message>
    <message>
      <source>New answer</source>
      <translation>Neue Antwort</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>Neues Gespräch</translation>
    </message>
    <message>
      <source>Queued</source>
      <translation>Wartet</translation>
    </message>
    <message>
      <source>Tags: {0}</source>
      <translation>Schlagwörter: {0}</translation>
    </message>
    <message>
      <source>Yesterday</source>
      <translation>Gestern</translation>
    </message>
    <message>
      <source>folded</source>
      <translation>eingeklappt</translation>
    </message>
    <message>
      <source>unfolded</source>
      <translation>ausgeklappt</translation>
    </message>
  </context>
  <context>
    <name>ConversationsPanel</name>
    <message>
      <source>Archive</source>
      <translation>Archivieren</translation>
    </message>
    <message>
      <source>Back from the archive</source>
      <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Gespräch</translation>
    </message>
    <message>
      <source>Conversations</source>
      <translation>Gespräche</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>Exportieren…</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>Neues Gespräch</translation>
    </message>
    <message>
      <source>No conversation has these words</source>
      <translation>Kein Gespräch enthält diese Wörter</translation>
    </message>
    <message>
      <source>No conversation is selected</source>
      <translation>Kein Gespräch ist ausgewählt</translation>
    </message>
    <message>
      <source>On the selected conversation</source>
      <translation>Für das ausgewählte Gespräch</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Pin</source>
      <translation>Anheften</translation>
    </message>
    <message>
      <source>Print…</source>
      <translation>Drucken…</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Search conversations</source>
      <translation>Gespräche durchsuchen</translation>
    </message>
    <message>
      <source>Tags…</source>
      <translation>Schlagwörter…</translation>
    </message>
    <message>
      <source>Unpin</source>
      <translation>Lösen</translation>
    </message>
    <message>
      <source>Words of titles, questions and answers; tag:name for a tag</source>
      <translation>Wörter aus Titeln, Fragen und Antworten; tag:Name für ein Schlagwort</translation>
    </message>
    <message>
      <source>Your questions are kept here</source>
      <translation>Hier bleiben Ihre Fragen</translation>
    </message>
  </context>
  <context>
    <name>CoverageCard</name>
    <message>
      <source> Not searched: {gaps}.</source>
      <translation> Nicht durchsucht: {gaps}.</translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln excluded file(s)</source>
      <translation>
        <numerusform>%Ln ausgeschlossene Datei</numerusform>
        <numerusform>%Ln ausgeschlossene Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) not indexed yet</source>
      <translation>
        <numerusform>%Ln noch nicht aufgenommene Datei</numerusform>
        <numerusform>%Ln noch nicht aufgenommene Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) that could not be read</source>
      <translation>
        <numerusform>%Ln nicht lesbare Datei</numerusform>
        <numerusform>%Ln nicht lesbare Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation>
        <numerusform>%Ln Zeile</numerusform>
        <numerusform>%Ln Zeilen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln of them</source>
      <translation>
        <numerusform>%Ln davon</numerusform>
        <numerusform>%Ln davon</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln Stelle</numerusform>
        <numerusform>%Ln Stellen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln quer(y|ies)</source>
      <translation>
        <numerusform>%Ln Suche</numerusform>
        <numerusform>%Ln Suchen</numerusform>
      </translation>
    </message>
    <message>
      <source>Hide what was searched</source>
      <translation>Ausblenden, was durchsucht wurde</translation>
    </message>
    <message>
      <source>In no document</source>
      <translation>In keinem Dokument</translation>
    </message>
    <message>
      <source>No search was run in {documents}</source>
      <translation>In {documents} lief keine Suche</translation>
    </message>
    <message>
      <source>Not searched</source>
      <translation>Nicht durchsucht</translation>
    </message>
    <message>
      <source>Read</source>
      <translation>Gelesen</translation>
    </message>
    <message>
      <source>Searched</source>
      <translation>Durchsucht</translation>
    </message>
    <message>
      <source>Searched {documents} with {queries}</source>
      <translation>{documents} mit {queries} durchsucht</translation>
    </message>
    <message>
      <source>Show what was searched</source>
      <translation>Zeigen, was durchsucht wurde</translation>
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation>
        <numerusform>und %Ln weitere</numerusform>
        <numerusform>und %Ln weitere</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>pages without text in %Ln file(s)</source>
      <translation>
        <numerusform>Seiten ohne Text in %Ln Datei</numerusform>
        <numerusform>Seiten ohne Text in %Ln Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>parts of %Ln file(s)</source>
      <translation>
        <numerusform>Teile von %Ln Datei</numerusform>
        <numerusform>Teile von %Ln Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>the best %Ln passage(s)</source>
      <translation>
        <numerusform>die beste Stelle</numerusform>
        <numerusform>die besten %Ln Stellen</numerusform>
      </translation>
    </message>
    <message>
      <source>{name}: {lines}</source>
      <translation>{name}: {lines}</translation>
    </message>
    <message>
      <source>{path} is not connected; the text indexed last was searched</source>
      <translation>{path} ist nicht verbunden; durchsucht wurde der zuletzt aufgenommene Text</translation>
    </message>
    <message>
      <source>{searched}, read {read}</source>
      <translation>{searched}, {read} gelesen</translation>
    </message>
    <message>
      <source>{share} of the text by meaning</source>
      <translation>{share} des Textes nach Bedeutung</translation>
    </message>
    <message>
      <source>“{query}” ({mode}): {passages}</source>
      <translation>„{query}“ ({mode}): {passages}</translation>
    </message>
  </context>
  <context>
    <name>DateHistogram</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Datum</translation>
    </message>
    <message>
      <source>{0}: {1} documents</source>
      <translation>{0}: {1} Dokumente</translation>
    </message>
  </context>
  <context>
    <name>DesktopControl</name>
    <message>
      <source>Some texts are not translated: the translations are older than the program. {0}</source>
      <translation>Manche Texte sind nicht übersetzt: Die Übersetzungen sind älter als das Programm. {0}</translation>
    </message>
    <message>
      <source>{0} cannot be used everywhere: another program may have it. Settings → Desktop changes it.</source>
      <translation>{0} kann nicht überall benutzt werden: Vielleicht hat ein anderes Programm die Taste. Einstellungen → Desktop ändert sie.</translation>
    </message>
  </context>
  <context>
    <name>DesktopPage</name>
    <message>
      <source>Accent colour of the system</source>
      <translation>Akzentfarbe des Systems</translation>
    </message>
    <message>
      <source>After 15 seconds or more, while you use another program. A click shows it.</source>
      <translation>Ab 15 Sekunden, während Sie ein anderes Programm benutzen. Ein Klick zeigt sie an.</translation>
    </message>
    <message>
      <source>Closing the window then only hides it; the icon opens it again and quits the program.</source>
      <translation>Schließen blendet das Fenster dann nur aus; das Symbol öffnet es wieder und beendet das Programm.</translation>
    </message>
    <message>
      <source>Ctrl, Alt or the logo key with a letter, a digit, Space or F1 to F35. Empty: none.</source>
      <translation>Strg, Alt oder die Logo-Taste mit einem Buchstaben, einer Ziffer, der Leertaste oder F1 bis F35. Leer: keine.</translation>
    </message>
    <message>
      <source>Dark paper for printed pages in the dark theme</source>
      <translation>Dunkles Papier für Druckseiten im dunklen Design</translation>
    </message>
    <message>
      <source>Icon in the tray</source>
      <translation>Symbol im Infobereich</translation>
    </message>
    <message>
      <source>In the tray, or else minimised, so that new files are searchable when you need them.</source>
      <translation>Im Infobereich oder sonst minimiert, damit neue Dateien durchsuchbar sind, wenn Sie sie brauchen.</translation>
    </message>
    <message>
      <source>Key that opens the window from anywhere</source>
      <translation>Taste, die das Fenster von überall öffnet</translation>
    </message>
    <message>
      <source>Look</source>
      <translation>Aussehen</translation>
    </message>
    <message>
      <source>Made lighter or darker where it could not be read.</source>
      <translation>Heller oder dunkler gemacht, wo sie nicht lesbar wäre.</translation>
    </message>
    <message>
      <source>No animations. Also without this box if your system asks for it.</source>
      <translation>Keine Animationen. Auch ohne diesen Haken, wenn Ihr System es verlangt.</translation>
    </message>
    <message>
      <source>Not available on this desktop</source>
      <translation>Auf diesem Desktop nicht verfügbar</translation>
    </message>
    <message>
      <source>Nothing moves by itself</source>
      <translation>Nichts bewegt sich von selbst</translation>
    </message>
    <message>
      <source>Notifications</source>
      <translation>Benachrichtigungen</translation>
    </message>
    <message>
      <source>Others may read it on the screen. A notification never contains text of a document.</source>
      <translation>Andere können ihn auf dem Bildschirm lesen. Text eines Dokuments steht nie in einer Benachrichtigung.</translation>
    </message>
    <message>
      <source>Photographs keep their colours. The file does not change.</source>
      <translation>Fotos behalten ihre Farben. Die Datei ändert sich nicht.</translation>
    </message>
    <message>
      <source>Start and end</source>
      <translation>Start und Ende</translation>
    </message>
    <message>
      <source>Start when you log in</source>
      <translation>Beim Anmelden starten</translation>
    </message>
    <message>
      <source>Tell when a long answer or a new library is ready</source>
      <translation>Lange Antworten und neue Bibliotheken melden</translation>
    </message>
    <message>
      <source>With the words of the question</source>
      <translation>Mit dem Wortlaut der Frage</translation>
    </message>
  </context>
  <context>
    <name>DiagnosticsPage</name>
    <message numerus="yes">
      <source>%Ln file(s) found</source>
      <translation>
        <numerusform>%Ln Datei gefunden</numerusform>
        <numerusform>%Ln Dateien gefunden</numerusform>
      </translation>
    </message>
    <message>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <source>Check now</source>
      <translation>Jetzt prüfen</translation>
    </message>
    <message>
      <source>Checked: {0}</source>
      <translation>Geprüft: {0}</translation>
    </message>
    <message>
      <source>Compare every part of the library with what was stored</source>
      <translation>Jeden Teil der Bibliothek mit dem Gespeicherten vergleichen</translation>
    </message>
    <message>
      <source>Copy a report</source>
      <translation>Bericht kopieren</translation>
    </message>
    <message>
      <source>Damaged: {0}. It is being repaired in the background, from what is stored.</source>
      <translation>Beschädigt: {0}. Es wird im Hintergrund aus dem Gespeicherten repariert.</translation>
    </message>
    <message>
      <source>Data folder</source>
      <translation>Datenordner</translation>
    </message>
    <message>
      <source>Errors</source>
      <translation>Fehler</translation>
    </message>
    <message>
      <source>Everything is as it was stored: {0}.</source>
      <translation>Alles ist, wie es gespeichert wurde: {0}.</translation>
    </message>
    <message>
      <source>Lines of the log</source>
      <translation>Zeilen des Protokolls</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>Protokoll</translation>
    </message>
    <message>
      <source>Nothing of this kind was logged.</source>
      <translation>Nichts dieser Art wurde protokolliert.</translation>
    </message>
    <message>
      <source>Processors</source>
      <translation>Prozessoren</translation>
    </message>
    <message>
      <source>Read again</source>
      <translation>Neu lesen</translation>
    </message>
    <message>
      <source>State of the library</source>
      <translation>Zustand der Bibliothek</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>System</source>
      <translation>System</translation>
    </message>
    <message>
      <source>The check was stopped.</source>
      <translation>Die Prüfung wurde angehalten.</translation>
    </message>
    <message>
      <source>The library is being checked …</source>
      <translation>Die Bibliothek wird geprüft …</translation>
    </message>
    <message>
      <source>The report is on the clipboard.</source>
      <translation>Der Bericht ist in der Zwischenablage.</translation>
    </message>
    <message>
      <source>The report names no folder, document, person, computer or model, and has no message of the log.</source>
      <translation>Der Bericht nennt keinen Ordner, kein Dokument, keine Person, keinen Computer und kein Modell und enthält keine Meldung des Protokolls.</translation>
    </message>
    <message>
      <source>They are being collected …</source>
      <translation>Sie werden gesammelt …</translation>
    </message>
    <message>
      <source>Versions and places</source>
      <translation>Versionen und Orte</translation>
    </message>
    <message>
      <source>Warnings</source>
      <translation>Warnungen</translation>
    </message>
    <message>
      <source>database</source>
      <translation>Datenbank</translation>
    </message>
    <message>
      <source>keyword index</source>
      <translation>Stichwortindex</translation>
    </message>
    <message>
      <source>list of vectors</source>
      <translation>Liste der Vektoren</translation>
    </message>
    <message>
      <source>state of the copies</source>
      <translation>Stand der Kopien</translation>
    </message>
    <message>
      <source>texts</source>
      <translation>Texte</translation>
    </message>
    <message>
      <source>vectors</source>
      <translation>Vektoren</translation>
    </message>
    <message>
      <source>{0} by meaning</source>
      <translation>{0} nach Bedeutung</translation>
    </message>
    <message>
      <source>{0} searchable by words</source>
      <translation>{0} nach Wörtern durchsuchbar</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}: {1}</translation>
    </message>
  </context>
  <context>
    <name>DocumentActions</name>
    <message>
      <source>Add a note…</source>
      <translation>Notiz hinzufügen…</translation>
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation>Lesezeichen an dieser Stelle</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Copy link to this place</source>
      <translation>Link zu dieser Stelle kopieren</translation>
    </message>
    <message>
      <source>Copy quote as Markdown</source>
      <translation>Zitat als Markdown kopieren</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>Zitat mit Quelle kopieren</translation>
    </message>
    <message>
      <source>Find in this document…</source>
      <translation>In diesem Dokument suchen…</translation>
    </message>
    <message>
      <source>Open in default application</source>
      <translation>Mit dem Standardprogramm öffnen</translation>
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation>An dieser Zeile in meinem Editor öffnen</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>Alles auswählen</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
  </context>
  <context>
    <name>DocumentSide</name>
    <message>
      <source>Nothing is bookmarked in this document. Ctrl+M keeps the passage you read.</source>
      <translation>In diesem Dokument gibt es keine Lesezeichen. Strg+M merkt die Stelle, die Sie lesen.</translation>
    </message>
    <message>
      <source>Press Ctrl+F to look for words in this document.</source>
      <translation>Strg+F sucht Wörter in diesem Dokument.</translation>
    </message>
    <message>
      <source>Terms, names, dates and amounts are looked for…</source>
      <translation>Begriffe, Namen, Daten und Beträge werden gesucht…</translation>
    </message>
    <message>
      <source>This document has no headings.</source>
      <translation>Dieses Dokument hat keine Überschriften.</translation>
    </message>
    <message>
      <source>This document has no pages.</source>
      <translation>Dieses Dokument hat keine Seiten.</translation>
    </message>
  </context>
  <context>
    <name>DocumentTab</name>
    <message>
      <source>The printed pages cannot be shown, so this is the text</source>
      <translation>Die gedruckten Seiten lassen sich nicht zeigen, darum steht hier der Text</translation>
    </message>
  </context>
  <context>
    <name>DocumentsBox</name>
    <message numerus="yes">
      <source>%Ln chosen document(s)</source>
      <translation>
        <numerusform>%Ln gewähltes Dokument</numerusform>
        <numerusform>%Ln gewählte Dokumente</numerusform>
      </translation>
    </message>
    <message>
      <source>All documents of the library</source>
      <translation>Alle Dokumente der Bibliothek</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>Dokumente</translation>
    </message>
    <message>
      <source>Documents that a search finds</source>
      <translation>Dokumente, die eine Suche findet</translation>
    </message>
    <message>
      <source>What to search for</source>
      <translation>Wonach gesucht wird</translation>
    </message>
  </context>
  <context>
    <name>DocumentsChip</name>
    <message>
      <source>Search all documents again</source>
      <translation>Wieder alle Dokumente durchsuchen</translation>
    </message>
  </context>
  <context>
    <name>DropZone</name>
    <message>
      <source>Drop here to search only in it</source>
      <translation>Hier ablegen, um nur darin zu suchen</translation>
    </message>
    <message>
      <source>Drop here to use it in this conversation only</source>
      <translation>Hier ablegen, um es nur in diesem Gespräch zu verwenden</translation>
    </message>
    <message>
      <source>Drop to add to your library</source>
      <translation>Loslassen, um sie in Ihre Bibliothek aufzunehmen</translation>
    </message>
    <message>
      <source>Files stay where they are; nothing is copied or sent</source>
      <translation>Dateien bleiben, wo sie sind; nichts wird kopiert oder gesendet</translation>
    </message>
    <message>
      <source>Nothing can be added to this library</source>
      <translation>Dieser Bibliothek kann nichts hinzugefügt werden</translation>
    </message>
  </context>
  <context>
    <name>EditorPage</name>
    <message>
      <source>Editor command</source>
      <translation>Editor-Befehl</translation>
    </message>
    <message>
      <source>If the field is empty, {0} is used.</source>
      <translation>Ist das Feld leer, wird {0} verwendet.</translation>
    </message>
    <message>
      <source>No editor was found on this computer.</source>
      <translation>Auf diesem Computer wurde kein Editor gefunden.</translation>
    </message>
    <message>
      <source>Your editor</source>
      <translation>Ihr Editor</translation>
    </message>
    <message>
      <source>“Open in my editor at this line” runs this command, with {path} and {line} for the file and the line.</source>
      <translation>„An dieser Zeile in meinem Editor öffnen“ führt diesen Befehl aus, mit {path} und {line} für Datei und Zeile.</translation>
    </message>
  </context>
  <context>
    <name>EmptyLibrary</name>
    <message>
      <source>Add a few ready documents to see how asking works</source>
      <translation>Ein paar fertige Dokumente aufnehmen, um das Fragen auszuprobieren</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Choose a folder to search</source>
      <translation>Ordner zum Durchsuchen wählen</translation>
    </message>
    <message>
      <source>Drop a folder here</source>
      <translation>Hier einen Ordner ablegen</translation>
    </message>
    <message>
      <source>Every word can be found in seconds. Your files stay where they are.</source>
      <translation>Jedes Wort ist in Sekunden zu finden. Ihre Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
      <source>Try the sample library</source>
      <translation>Beispielbibliothek ausprobieren</translation>
    </message>
  </context>
  <context>
    <name>EncoderPage</name>
    <message>
      <source>A question also finds passages that say the same in other words, in these languages. All of it happens on this computer.</source>
      <translation>Eine Frage findet auch Stellen, die dasselbe mit anderen Worten sagen, in diesen Sprachen. Alles geschieht auf diesem Computer.</translation>
    </message>
    <message>
      <source>All {0} sentences of this library are prepared again.</source>
      <translation>Alle {0} Sätze dieser Bibliothek werden neu aufbereitet.</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Fetch {0}…</source>
      <translation>{0} herunterladen…</translation>
    </message>
    <message>
      <source>For a finer sense of English.</source>
      <translation>Für feinere Bedeutungsunterschiede im Englischen.</translation>
    </message>
    <message>
      <source>From a folder or archive</source>
      <translation>Aus einem Ordner oder Archiv</translation>
    </message>
    <message>
      <source>It begins when the program is next started; until then you search as before.</source>
      <translation>Das beginnt beim nächsten Start des Programms; bis dahin suchen Sie wie zuvor.</translation>
    </message>
    <message>
      <source>Languages</source>
      <translation>Sprachen</translation>
    </message>
    <message>
      <source>More languages</source>
      <translation>Weitere Sprachen</translation>
    </message>
    <message>
      <source>More than 90, also for questions in one language about documents in another.</source>
      <translation>Mehr als 90, auch für Fragen in einer Sprache zu Dokumenten in einer anderen.</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>Auf diesem Computer</translation>
    </message>
    <message>
      <source>Other languages</source>
      <translation>Andere Sprachen</translation>
    </message>
    <message>
      <source>Sentence encoders as model hubs publish them:</source>
      <translation>Satz-Encoder, wie Modellsammlungen sie veröffentlichen:</translation>
    </message>
    <message>
      <source>That takes about {0} minutes of one processor core.</source>
      <translation>Das dauert etwa {0} Minuten auf einem Prozessorkern.</translation>
    </message>
    <message>
      <source>This installation keeps them as they are published: four times as large, and about half as fast. Wherever Desktop RAG is installed by the following command, “encoder add” converts them; then add the folder with the result here.</source>
      <translation>Diese Installation behält sie, wie sie veröffentlicht sind: viermal so groß und etwa halb so schnell. Wo Desktop RAG mit dem folgenden Befehl installiert ist, wandelt „encoder add“ sie um; fügen Sie den Ordner mit dem Ergebnis dann hier hinzu.</translation>
    </message>
    <message>
      <source>about {0} sentences a second</source>
      <translation>etwa {0} Sätze pro Sekunde</translation>
    </message>
    <message>
      <source>desktop-rag encoder add FOLDER</source>
      <translation>desktop-rag encoder add ORDNER</translation>
    </message>
    <message>
      <source>{0} MB to fetch, {1} MB afterwards; {2} MB of memory while in use, and encoding takes {3} times as long.</source>
      <translation>{0} MB zu laden, danach {1} MB; {2} MB Arbeitsspeicher während der Nutzung, und das Kodieren dauert {3}-mal so lange.</translation>
    </message>
    <message>
      <source>{0} languages</source>
      <translation>{0} Sprachen</translation>
    </message>
    <message>
      <source>{0} was added. Choose it above, and save.</source>
      <translation>{0} wurde hinzugefügt. Wählen Sie ihn oben aus, und speichern Sie.</translation>
    </message>
    <message>
      <source>{0} was not added.</source>
      <translation>{0} wurde nicht hinzugefügt.</translation>
    </message>
    <message>
      <source>{0}: converted and tested…</source>
      <translation>{0}: wird umgewandelt und geprüft…</translation>
    </message>
    <message>
      <source>{0}: {1} of {2} MB fetched</source>
      <translation>{0}: {1} von {2} MB heruntergeladen</translation>
    </message>
  </context>
  <context>
    <name>EntryRow</name>
    <message>
      <source>Its result takes {0} of the context</source>
      <translation>Ihr Ergebnis braucht {0} des Kontexts</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>Nichts gefunden</translation>
    </message>
    <message>
      <source>{0}. Next attempt within {1}</source>
      <translation>{0}. Nächster Versuch innerhalb von {1}</translation>
    </message>
  </context>
  <context>
    <name>ExaminationDialog</name>
    <message>
      <source>A few short requests are sent. Local models may take a minute…</source>
      <translation>Einige kurze Anfragen werden gesendet. Lokale Modelle brauchen dafür vielleicht eine Minute…</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Connection</source>
      <translation>Verbindung</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>Kontextfenster</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Done. It can do what the program needs.</source>
      <translation>Fertig. Er kann, was das Programm braucht.</translation>
    </message>
    <message>
      <source>Done. Something is missing.</source>
      <translation>Fertig. Es fehlt etwas.</translation>
    </message>
    <message>
      <source>Findings</source>
      <translation>Befunde</translation>
    </message>
    <message>
      <source>Long prompts</source>
      <translation>Lange Anfragen</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Methode</translation>
    </message>
    <message>
      <source>Parallel calls</source>
      <translation>Mehrere Aufrufe</translation>
    </message>
    <message>
      <source>Speed</source>
      <translation>Tempo</translation>
    </message>
    <message>
      <source>Streaming</source>
      <translation>Streaming</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <source>Token count</source>
      <translation>Tokenzählung</translation>
    </message>
    <message>
      <source>Tools</source>
      <translation>Werkzeuge</translation>
    </message>
    <message>
      <source>What can “{0}” do?</source>
      <translation>Was kann „{0}“?</translation>
    </message>
  </context>
  <context>
    <name>ExampleWording</name>
    <message>
      <source>What is said about “{topic}”?</source>
      <translation>Was steht zu „{topic}“?</translation>
    </message>
    <message>
      <source>What is the {column} of {topic} in “{document}”?</source>
      <translation>Wie lautet „{column}“ von {topic} in „{document}“?</translation>
    </message>
  </context>
  <context>
    <name>ExportControl</name>
    <message>
      <source>Export the conversation</source>
      <translation>Gespräch exportieren</translation>
    </message>
    <message>
      <source>Print the conversation</source>
      <translation>Gespräch drucken</translation>
    </message>
    <message>
      <source>Printed “{0}”</source>
      <translation>„{0}“ gedruckt</translation>
    </message>
    <message>
      <source>Saved as {0}</source>
      <translation>Gespeichert als {0}</translation>
    </message>
    <message>
      <source>The printer did not take it. Check that it is connected, or export a PDF.</source>
      <translation>Der Drucker hat es nicht angenommen. Prüfen Sie die Verbindung, oder exportieren Sie ein PDF.</translation>
    </message>
    <message>
      <source>{0} with links to the files on this computer</source>
      <translation>{0} mit Links zu den Dateien auf diesem Computer</translation>
    </message>
  </context>
  <context>
    <name>ExternalPrograms</name>
    <message>
      <source>No program on this computer opens {0}</source>
      <translation>Kein Programm auf diesem Computer öffnet {0}</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>Einstellungen…</translation>
    </message>
    <message>
      <source>{0} cannot be shown in its folder</source>
      <translation>{0} kann nicht in seinem Ordner gezeigt werden</translation>
    </message>
    <message>
      <source>“{0}” is not on this computer</source>
      <translation>„{0}“ ist nicht auf diesem Computer</translation>
    </message>
  </context>
  <context>
    <name>FacetList</name>
    <message>
      <source>Narrow down by</source>
      <translation>Eingrenzen nach</translation>
    </message>
  </context>
  <context>
    <name>FacetModel</name>
    <message numerus="yes">
      <source>At least %Ln document(s): only the best ones are counted</source>
      <translation>
        <numerusform>Mindestens %Ln Dokument: nur die besten sind gezählt</numerusform>
        <numerusform>Mindestens %Ln Dokumente: nur die besten sind gezählt</numerusform>
      </translation>
    </message>
    <message>
      <source>Author</source>
      <translation>Autor</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>Schlagwort</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>Typ</translation>
    </message>
    <message>
      <source>chosen</source>
      <translation>gewählt</translation>
    </message>
  </context>
  <context>
    <name>FetchActivity</name>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Cancel the fetch of {0}</source>
      <translation>Herunterladen von {0} abbrechen</translation>
    </message>
    <message>
      <source>{0} was added. Choose it in the settings, under “Search by meaning”.</source>
      <translation>{0} wurde hinzugefügt. Wählen Sie ihn in den Einstellungen unter „Suche nach Bedeutung“.</translation>
    </message>
    <message>
      <source>{0} was not added.</source>
      <translation>{0} wurde nicht hinzugefügt.</translation>
    </message>
  </context>
  <context>
    <name>FetchDialog</name>
    <message>
      <source>Fetch</source>
      <translation>Herunterladen</translation>
    </message>
    <message>
      <source>Fetch {0}?</source>
      <translation>{0} herunterladen?</translation>
    </message>
    <message>
      <source>It is then converted, which takes a few minutes of one processor core.</source>
      <translation>Danach wird er umgewandelt; das beschäftigt einen Prozessorkern einige Minuten.</translation>
    </message>
    <message>
      <source>{0} MB are fetched from {1}, which learns the address of this computer on the network, and nothing else. Licence: {2}.</source>
      <translation>{0} MB werden von {1} heruntergeladen. Dabei erfährt {1} die Netzwerkadresse dieses Computers und sonst nichts. Lizenz: {2}.</translation>
    </message>
  </context>
  <context>
    <name>FileDialog</name>
    <message>
      <source>Files of type:</source>
      <translation>Dateityp:</translation>
    </message>
    <message>
      <source>Folder:</source>
      <translation>Ordner:</translation>
    </message>
    <message>
      <source>Look in:</source>
      <translation>Suchen in:</translation>
    </message>
  </context>
  <context>
    <name>FileWording</name>
    <message numerus="yes">
      <source>%Ln not searchable</source>
      <translation>
        <numerusform>%Ln nicht durchsuchbar</numerusform>
        <numerusform>%Ln nicht durchsuchbar</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln partly read</source>
      <translation>
        <numerusform>%Ln teilweise gelesen</numerusform>
        <numerusform>%Ln teilweise gelesen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln picture(s) without text</source>
      <translation>
        <numerusform>%Ln Bild ohne Text</numerusform>
        <numerusform>%Ln Bilder ohne Text</numerusform>
      </translation>
    </message>
    <message>
      <source>Archive</source>
      <translation>Archiv</translation>
    </message>
    <message>
      <source>Calendar</source>
      <translation>Kalender</translation>
    </message>
    <message>
      <source>Check that you may read these files and that their disk works, then try again.</source>
      <translation>Prüfen Sie, ob Sie diese Dateien lesen dürfen und ihr Laufwerk funktioniert, und versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>Code</source>
      <translation>Code</translation>
    </message>
    <message>
      <source>Comic</source>
      <translation>Comic</translation>
    </message>
    <message>
      <source>Contacts</source>
      <translation>Kontakte</translation>
    </message>
    <message>
      <source>Could not be opened</source>
      <translation>Konnte nicht geöffnet werden</translation>
    </message>
    <message>
      <source>Damaged, or not what the name says</source>
      <translation>Beschädigt, oder nicht, was der Name sagt</translation>
    </message>
    <message>
      <source>Data</source>
      <translation>Daten</translation>
    </message>
    <message>
      <source>Drawing</source>
      <translation>Zeichnung</translation>
    </message>
    <message>
      <source>E-book</source>
      <translation>E-Book</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Found by</source>
      <translation>Gefunden über</translation>
    </message>
    <message>
      <source>Help book</source>
      <translation>Hilfebuch</translation>
    </message>
    <message>
      <source>It cannot be found.</source>
      <translation>Sie kann nicht gefunden werden.</translation>
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation>Sie wartet darauf, gelesen zu werden.</translation>
    </message>
    <message>
      <source>Larger than the limit</source>
      <translation>Größer als erlaubt</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>Protokoll</translation>
    </message>
    <message>
      <source>Mail</source>
      <translation>E-Mail</translation>
    </message>
    <message>
      <source>Mailbox</source>
      <translation>Postfach</translation>
    </message>
    <message>
      <source>Meaning</source>
      <translation>Bedeutung</translation>
    </message>
    <message>
      <source>Modified</source>
      <translation>Geändert</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>No text in it</source>
      <translation>Kein Text darin</translation>
    </message>
    <message>
      <source>Not searchable</source>
      <translation>Nicht durchsuchbar</translation>
    </message>
    <message>
      <source>Notebook</source>
      <translation>Notizbuch</translation>
    </message>
    <message>
      <source>Nothing is missing. Ignore them to shorten this list.</source>
      <translation>Es fehlt nichts. Ignorieren Sie sie, um die Liste zu kürzen.</translation>
    </message>
    <message>
      <source>Nothing is wrong with these files: they are read again by themselves. If memory is short, close a program.</source>
      <translation>Mit diesen Dateien ist alles in Ordnung: Sie werden von selbst noch einmal gelesen. Ist der Speicher knapp, schließen Sie ein Programm.</translation>
    </message>
    <message>
      <source>Office file</source>
      <translation>Office-Datei</translation>
    </message>
    <message>
      <source>Open one in its own program. If it opens there, save it again; if not, restore it from a backup.</source>
      <translation>Öffnen Sie eine in ihrem eigenen Programm. Gelingt das, speichern Sie sie neu; wenn nicht, holen Sie sie aus einer Sicherung zurück.</translation>
    </message>
    <message>
      <source>Other reasons</source>
      <translation>Andere Gründe</translation>
    </message>
    <message>
      <source>Outlook mail</source>
      <translation>Outlook-Mail</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
    <message>
      <source>Pages that are only pictures</source>
      <translation>Seiten, die nur Bilder sind</translation>
    </message>
    <message>
      <source>Partly read</source>
      <translation>Teilweise gelesen</translation>
    </message>
    <message>
      <source>Picture</source>
      <translation>Bild</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Bilder</translation>
    </message>
    <message>
      <source>Printed book</source>
      <translation>Gedrucktes Buch</translation>
    </message>
    <message>
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <source>Protected by a password</source>
      <translation>Durch ein Passwort geschützt</translation>
    </message>
    <message>
      <source>Raise the size limit in the rules of their folder, or split these files.</source>
      <translation>Erhöhen Sie die Größengrenze in den Regeln ihres Ordners, oder teilen Sie diese Dateien.</translation>
    </message>
    <message>
      <source>Reading was interrupted</source>
      <translation>Das Lesen wurde unterbrochen</translation>
    </message>
    <message>
      <source>Recording</source>
      <translation>Aufnahme</translation>
    </message>
    <message>
      <source>Save a copy without a password in the same folder; it is read by itself.</source>
      <translation>Speichern Sie eine Kopie ohne Passwort im selben Ordner; sie wird von selbst gelesen.</translation>
    </message>
    <message>
      <source>Save them in another format, such as PDF or text, or ignore them.</source>
      <translation>Speichern Sie sie in einem anderen Format wie PDF oder Text, oder ignorieren Sie sie.</translation>
    </message>
    <message>
      <source>Saved page</source>
      <translation>Gespeicherte Seite</translation>
    </message>
    <message>
      <source>Set aside after two failed attempts</source>
      <translation>Nach zwei Fehlversuchen zurückgestellt</translation>
    </message>
    <message>
      <source>Signed file</source>
      <translation>Signierte Datei</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>Slides</source>
      <translation>Folien</translation>
    </message>
    <message>
      <source>Slides (old)</source>
      <translation>Folien (alt)</translation>
    </message>
    <message>
      <source>Split these files into smaller ones to have all of them read.</source>
      <translation>Teilen Sie diese Dateien in kleinere, damit sie ganz gelesen werden.</translation>
    </message>
    <message>
      <source>Spreadsheet</source>
      <translation>Tabellenkalkulation</translation>
    </message>
    <message>
      <source>Subtitles</source>
      <translation>Untertitel</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>The reason is given beside each file.</source>
      <translation>Der Grund steht neben jeder Datei.</translation>
    </message>
    <message>
      <source>They are not touched again until they change. After an update of this program, try them again.</source>
      <translation>Sie werden erst wieder angefasst, wenn sie sich ändern. Versuchen Sie es nach einem Update dieses Programms erneut.</translation>
    </message>
    <message>
      <source>Too much for one file; only a part was read</source>
      <translation>Zu viel für eine Datei; nur ein Teil wurde gelesen</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>Typ</translation>
    </message>
    <message>
      <source>Types that are not read</source>
      <translation>Typen, die nicht gelesen werden</translation>
    </message>
    <message>
      <source>Unknown</source>
      <translation>Unbekannt</translation>
    </message>
    <message>
      <source>Waiting</source>
      <translation>Wartet</translation>
    </message>
    <message>
      <source>Web page</source>
      <translation>Webseite</translation>
    </message>
    <message>
      <source>With a program for text recognition (OCR) installed, these pages are read by themselves in the background, at some seconds of processor time a page. Until then they cost nothing.</source>
      <translation>Ist ein Programm zur Texterkennung (OCR) installiert, werden diese Seiten von selbst im Hintergrund gelesen; jede kostet einige Sekunden Prozessorzeit. Bis dahin kosten sie nichts.</translation>
    </message>
    <message>
      <source>Word (old)</source>
      <translation>Word (alt)</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>Wörter</translation>
    </message>
    <message>
      <source>Words and meaning</source>
      <translation>Wörter und Bedeutung</translation>
    </message>
    <message>
      <source>Words only</source>
      <translation>Nur Wörter</translation>
    </message>
    <message>
      <source>You can find it by its name; the text in its pictures is not recognised yet.</source>
      <translation>Sie finden die Datei über ihren Namen; der Text in ihren Bildern ist noch nicht erkannt.</translation>
    </message>
    <message>
      <source>You can find it by its words and by their meaning.</source>
      <translation>Sie ist über ihre Wörter und über ihre Bedeutung zu finden.</translation>
    </message>
    <message>
      <source>You can find it by its words; its meaning is being prepared.</source>
      <translation>Sie ist über ihre Wörter zu finden; ihre Bedeutung wird vorbereitet.</translation>
    </message>
    <message>
      <source>You can find what was read of it; the rest is missing.</source>
      <translation>Was davon gelesen wurde, ist zu finden; der Rest fehlt.</translation>
    </message>
  </context>
  <context>
    <name>FilesControl</name>
    <message numerus="yes">
      <source>%Ln file(s) ignored</source>
      <translation>
        <numerusform>%Ln Datei ignoriert</numerusform>
        <numerusform>%Ln Dateien ignoriert</numerusform>
      </translation>
    </message>
    <message>
      <source>Add a folder to see its files here. They stay where they are.</source>
      <translation>Nehmen Sie einen Ordner auf, um hier seine Dateien zu sehen. Sie bleiben, wo sie sind.</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Files of a team library are not listed</source>
      <translation>Dateien einer Team-Bibliothek werden nicht aufgelistet</translation>
    </message>
    <message>
      <source>Files that were added one by one have no rules; remove them from the library</source>
      <translation>Einzeln aufgenommene Dateien haben keine Regeln; entfernen Sie sie aus der Bibliothek</translation>
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation>Sie öffnet sich von selbst, sobald ihr Laufwerk verbunden ist.</translation>
    </message>
    <message>
      <source>Nothing to try again: only files that could not be read are tried</source>
      <translation>Nichts erneut zu versuchen: nur Dateien, die nicht gelesen werden konnten, werden versucht</translation>
    </message>
    <message>
      <source>Opening the list…</source>
      <translation>Liste wird geöffnet…</translation>
    </message>
    <message>
      <source>The files cannot be listed</source>
      <translation>Die Dateien können nicht aufgelistet werden</translation>
    </message>
    <message>
      <source>They are on its server. Search for them, also by their names.</source>
      <translation>Sie liegen auf deren Server. Suchen Sie danach, auch nach ihren Namen.</translation>
    </message>
    <message>
      <source>They will be read again in the background</source>
      <translation>Sie werden im Hintergrund erneut gelesen</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>Diese Bibliothek fehlt</translation>
    </message>
    <message>
      <source>Too many files for single rules; write a pattern in the rules of the folder</source>
      <translation>Zu viele Dateien für einzelne Regeln; schreiben Sie ein Muster in die Regeln des Ordners</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
    <message>
      <source>Your library is empty</source>
      <translation>Ihre Bibliothek ist leer</translation>
    </message>
  </context>
  <context>
    <name>FilesList</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>All files</source>
      <translation>Alle Dateien</translation>
    </message>
    <message>
      <source>All types</source>
      <translation>Alle Typen</translation>
    </message>
    <message>
      <source>Clear filters</source>
      <translation>Filter löschen</translation>
    </message>
    <message>
      <source>Files appear here as your folders are looked through.</source>
      <translation>Dateien erscheinen hier, während Ihre Ordner durchgesehen werden.</translation>
    </message>
    <message>
      <source>Filter by name or folder</source>
      <translation>Nach Name oder Ordner filtern</translation>
    </message>
    <message>
      <source>Found by</source>
      <translation>Gefunden über</translation>
    </message>
    <message>
      <source>No file matches</source>
      <translation>Keine Datei passt</translation>
    </message>
    <message>
      <source>No files yet</source>
      <translation>Noch keine Dateien</translation>
    </message>
    <message>
      <source>Remove this filter</source>
      <translation>Diesen Filter entfernen</translation>
    </message>
    <message>
      <source>Try fewer words or another filter.</source>
      <translation>Versuchen Sie weniger Wörter oder einen anderen Filter.</translation>
    </message>
    <message>
      <source>Type</source>
      <translation>Typ</translation>
    </message>
    <message>
      <source>With a problem</source>
      <translation>Mit einem Problem</translation>
    </message>
  </context>
  <context>
    <name>FilesPage</name>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>Zurück zum Gespräch (Esc)</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>Dateien</translation>
    </message>
    <message>
      <source>No file is selected</source>
      <translation>Keine Datei ist ausgewählt</translation>
    </message>
    <message>
      <source>On a selected file</source>
      <translation>Für eine ausgewählte Datei</translation>
    </message>
    <message>
      <source>Parts of the library</source>
      <translation>Teile der Bibliothek</translation>
    </message>
    <message>
      <source>Problems</source>
      <translation>Probleme</translation>
    </message>
    <message>
      <source>Problems ({0})</source>
      <translation>Probleme ({0})</translation>
    </message>
    <message>
      <source>Statistics</source>
      <translation>Statistik</translation>
    </message>
  </context>
  <context>
    <name>FilesTable</name>
    <message>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>Dateien</translation>
    </message>
    <message>
      <source>Ignore</source>
      <translation>Ignorieren</translation>
    </message>
    <message>
      <source>New report over these…</source>
      <translation>Neuer Bericht über diese…</translation>
    </message>
    <message>
      <source>New table over these…</source>
      <translation>Neue Tabelle über diese…</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
    <message>
      <source>Why is it found or not?…</source>
      <translation>Warum wird sie gefunden oder nicht?…</translation>
    </message>
  </context>
  <context>
    <name>FilterChip</name>
    <message>
      <source>Ask again without this</source>
      <translation>Ohne das noch einmal fragen</translation>
    </message>
    <message>
      <source>Only in {0}; ask again without it</source>
      <translation>Nur in {0}; ohne das noch einmal fragen</translation>
    </message>
  </context>
  <context>
    <name>FilterChips</name>
    <message>
      <source>Author: {0}</source>
      <translation>Autor: {0}</translation>
    </message>
    <message>
      <source>Changed: {0}</source>
      <translation>Geändert: {0}</translation>
    </message>
    <message>
      <source>Date: {0}</source>
      <translation>Datum: {0}</translation>
    </message>
    <message>
      <source>Files this question is limited to</source>
      <translation>Dateien, auf die sich diese Frage beschränkt</translation>
    </message>
    <message>
      <source>Folder: {0}</source>
      <translation>Ordner: {0}</translation>
    </message>
    <message>
      <source>Tag: {0}</source>
      <translation>Schlagwort: {0}</translation>
    </message>
    <message>
      <source>Type: {0}</source>
      <translation>Typ: {0}</translation>
    </message>
  </context>
  <context>
    <name>FilterField</name>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
  </context>
  <context>
    <name>FindBar</name>
    <message>
      <source>Close (Esc)</source>
      <translation>Schließen (Esc)</translation>
    </message>
    <message>
      <source>Find in this document</source>
      <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
      <source>List all matches</source>
      <translation>Alle Treffer auflisten</translation>
    </message>
    <message>
      <source>Next match</source>
      <translation>Nächster Treffer</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>Nicht gefunden</translation>
    </message>
    <message>
      <source>Previous match</source>
      <translation>Voriger Treffer</translation>
    </message>
    <message>
      <source>Searching…</source>
      <translation>Sucht…</translation>
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation>{0} von {1}</translation>
    </message>
  </context>
  <context>
    <name>FirstRunDialog</name>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>No folder is chosen yet: drop one anywhere on the window when you like.</source>
      <translation>Noch ist kein Ordner gewählt: legen Sie irgendwann einen auf dem Fenster ab.</translation>
    </message>
    <message>
      <source>Reading begins now, in the background.</source>
      <translation>Das Lesen beginnt jetzt, im Hintergrund.</translation>
    </message>
    <message>
      <source>Ready</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <source>Searching needs no model. You can change this at any time in the settings.</source>
      <translation>Die Suche braucht kein Modell. Sie können das jederzeit in den Einstellungen ändern.</translation>
    </message>
    <message>
      <source>Set up later</source>
      <translation>Später einrichten</translation>
    </message>
    <message>
      <source>Show me around the window, with a few sample documents (two minutes)</source>
      <translation>Das Fenster mit ein paar Beispieldokumenten zeigen (zwei Minuten)</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>Beginnen</translation>
    </message>
    <message>
      <source>Step {0} of {1}</source>
      <translation>Schritt {0} von {1}</translation>
    </message>
    <message>
      <source>The built-in model answers, with quotes from your documents.</source>
      <translation>Das eingebaute Modell antwortet, mit Zitaten aus Ihren Dokumenten.</translation>
    </message>
    <message>
      <source>To be searched: {0}.</source>
      <translation>Durchsucht wird: {0}.</translation>
    </message>
    <message>
      <source>Welcome to Desktop RAG</source>
      <translation>Willkommen bei Desktop RAG</translation>
    </message>
    <message>
      <source>Which folders do you want to search?</source>
      <translation>Welche Ordner möchten Sie durchsuchen?</translation>
    </message>
    <message>
      <source>Who answers your questions?</source>
      <translation>Wer beantwortet Ihre Fragen?</translation>
    </message>
    <message>
      <source>Your files stay where they are and are never changed. You can add and remove folders later.</source>
      <translation>Ihre Dateien bleiben, wo sie sind, und werden nie verändert. Ordner können Sie später hinzufügen und entfernen.</translation>
    </message>
    <message>
      <source>a few sample documents</source>
      <translation>ein paar Beispieldokumente</translation>
    </message>
    <message>
      <source>{0} answers, at {1}.</source>
      <translation>{0} antwortet, bei {1}.</translation>
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
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>.{0} – {1}</source>
      <translation>.{0} – {1}</translation>
    </message>
    <message>
      <source>A path to test the rules on</source>
      <translation>Ein Pfad, an dem die Regeln geprüft werden</translation>
    </message>
    <message>
      <source>A pattern is not valid: {0}</source>
      <translation>Ein Muster ist ungültig: {0}</translation>
    </message>
    <message>
      <source>Add a pattern for all files of one type</source>
      <translation>Muster für alle Dateien eines Typs hinzufügen</translation>
    </message>
    <message>
      <source>Also ignore</source>
      <translation>Außerdem ignorieren</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Choose a file to test the rules on</source>
      <translation>Datei wählen, an der die Regeln geprüft werden</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
    <message>
      <source>Counting the files…</source>
      <translation>Dateien werden gezählt…</translation>
    </message>
    <message>
      <source>Files read with these rules: {0} ({1} fewer and {2} more than now).</source>
      <translation>Mit diesen Regeln gelesene Dateien: {0} ({1} weniger und {2} mehr als jetzt).</translation>
    </message>
    <message>
      <source>Files read with these rules: {0}, the same as now.</source>
      <translation>Mit diesen Regeln gelesene Dateien: {0}, wie jetzt.</translation>
    </message>
    <message>
      <source>Ignore files larger than</source>
      <translation>Dateien ignorieren, die größer sind als</translation>
    </message>
    <message>
      <source>Ignore what .gitignore files ignore</source>
      <translation>Ignorieren, was .gitignore-Dateien ignorieren</translation>
    </message>
    <message>
      <source>Ignored.</source>
      <translation>Ignoriert.</translation>
    </message>
    <message>
      <source>Include files that have other names, too (hard links)</source>
      <translation>Auch Dateien mit weiteren Namen einbeziehen (harte Links)</translation>
    </message>
    <message>
      <source>Include hidden files and folders</source>
      <translation>Versteckte Dateien und Ordner aufnehmen</translation>
    </message>
    <message>
      <source>Included.</source>
      <translation>Aufgenommen.</translation>
    </message>
    <message>
      <source>Largest file</source>
      <translation>Größte Datei</translation>
    </message>
    <message>
      <source>Leave out a type</source>
      <translation>Einen Typ auslassen</translation>
    </message>
    <message>
      <source>Newly read: {0}</source>
      <translation>Neu gelesen: {0}</translation>
    </message>
    <message>
      <source>No longer read: {0}</source>
      <translation>Nicht mehr gelesen: {0}</translation>
    </message>
    <message>
      <source>One pattern per line, as in a .gitignore file. “!” includes a file again.</source>
      <translation>Ein Muster je Zeile, wie in einer .gitignore-Datei. „!“ nimmt eine Datei wieder auf.</translation>
    </message>
    <message>
      <source>Rules of “{0}”</source>
      <translation>Regeln von „{0}“</translation>
    </message>
    <message>
      <source>Save and check the folder</source>
      <translation>Speichern und Ordner prüfen</translation>
    </message>
    <message>
      <source>Such a file may also lie outside of this folder</source>
      <translation>Eine solche Datei kann auch außerhalb dieses Ordners liegen</translation>
    </message>
    <message>
      <source>Test the rules on a file</source>
      <translation>Regeln an einer Datei prüfen</translation>
    </message>
    <message>
      <source>The folder is not here now, so its files cannot be counted.</source>
      <translation>Der Ordner ist gerade nicht da, darum können seine Dateien nicht gezählt werden.</translation>
    </message>
    <message>
      <source>This line: {0}</source>
      <translation>Diese Zeile: {0}</translation>
    </message>
    <message>
      <source>This path is outside the folder.</source>
      <translation>Dieser Pfad liegt außerhalb des Ordners.</translation>
    </message>
    <message>
      <source>Type or drop a path: drafts/plan.md</source>
      <translation>Pfad eingeben oder ablegen: entwürfe/plan.md</translation>
    </message>
    <message>
      <source>Which rule decides?</source>
      <translation>Welche Regel entscheidet?</translation>
    </message>
    <message>
      <source>{0} Only a part of this large folder was counted.</source>
      <translation>{0} Nur ein Teil dieses großen Ordners wurde gezählt.</translation>
    </message>
    <message>
      <source>{0} Still counting…</source>
      <translation>{0} Es wird noch gezählt…</translation>
    </message>
    <message numerus="yes">
      <source>{0} and %Ln more</source>
      <translation>
        <numerusform>{0} und %Ln weitere</numerusform>
        <numerusform>{0} und %Ln weitere</numerusform>
      </translation>
    </message>
    <message>
      <source>“{0}”: {1}</source>
      <translation>„{0}“: {1}</translation>
    </message>
  </context>
  <context>
    <name>FoldersPage</name>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Folders are added and removed at once. Each has its own rules for which files are excluded.</source>
      <translation>Ordner werden sofort hinzugefügt und entfernt. Jeder hat eigene Regeln dafür, welche Dateien ausgelassen werden.</translation>
    </message>
    <message>
      <source>Put back</source>
      <translation>Zurückholen</translation>
    </message>
    <message>
      <source>Remove folder</source>
      <translation>Ordner entfernen</translation>
    </message>
    <message>
      <source>Rules…</source>
      <translation>Regeln…</translation>
    </message>
    <message>
      <source>Your library has no folders yet. Add one here, or drop it on the window.</source>
      <translation>Ihre Bibliothek hat noch keine Ordner. Fügen Sie hier einen hinzu, oder ziehen Sie ihn auf das Fenster.</translation>
    </message>
    <message>
      <source>{0} (removed)</source>
      <translation>{0} (entfernt)</translation>
    </message>
  </context>
  <context>
    <name>FoldersToSearchPage</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>Add a folder to your library</source>
      <translation>Ordner in Ihre Bibliothek aufnehmen</translation>
    </message>
    <message>
      <source>Another folder…</source>
      <translation>Anderer Ordner…</translation>
    </message>
    <message>
      <source>Counting…</source>
      <translation>Zählt…</translation>
    </message>
    <message>
      <source>Counting… {0}, {1}</source>
      <translation>Zählt… {0}, {1}</translation>
    </message>
    <message>
      <source>Every word can be found after {0}, meaning after {1} or more; you can ask from the start.</source>
      <translation>Jedes Wort ist zu finden nach: {0}; die Bedeutung nach: {1}, oder später. Fragen können Sie von Anfang an.</translation>
    </message>
    <message>
      <source>Everything can be found after {0}; you can ask from the start.</source>
      <translation>Alles ist zu finden nach: {0}. Fragen können Sie von Anfang an.</translation>
    </message>
    <message>
      <source>Left out: {0}</source>
      <translation>Ausgelassen: {0}</translation>
    </message>
    <message>
      <source>More than {0}, {1}</source>
      <translation>Mehr als {0}, {1}</translation>
    </message>
    <message>
      <source>The sample: a few documents to try things with</source>
      <translation>Das Beispiel: ein paar Dokumente zum Ausprobieren</translation>
    </message>
    <message>
      <source>files and folders of programs: {0}</source>
      <translation>Dateien und Ordner von Programmen: {0}</translation>
    </message>
    <message>
      <source>hidden: {0}</source>
      <translation>versteckt: {0}</translation>
    </message>
    <message>
      <source>listed in .gitignore: {0}</source>
      <translation>in .gitignore genannt: {0}</translation>
    </message>
    <message>
      <source>of a type that is not read: {0}</source>
      <translation>von einem Typ, der nicht gelesen wird: {0}</translation>
    </message>
    <message>
      <source>passwords and keys: {0}</source>
      <translation>Passwörter und Schlüssel: {0}</translation>
    </message>
    <message>
      <source>too large: {0}</source>
      <translation>zu groß: {0}</translation>
    </message>
    <message>
      <source>{0}, {1}</source>
      <translation>{0}, {1}</translation>
    </message>
  </context>
  <context>
    <name>FollowUpRow</name>
    <message>
      <source>Click to edit it first, Ctrl+click to ask it</source>
      <translation>Klick: zuerst bearbeiten; Strg+Klick: gleich fragen</translation>
    </message>
    <message>
      <source>Hide these suggestions</source>
      <translation>Diese Vorschläge ausblenden</translation>
    </message>
    <message>
      <source>Suggestions for the next question</source>
      <translation>Vorschläge für die nächste Frage</translation>
    </message>
  </context>
  <context>
    <name>FollowUpWording</name>
    <message>
      <source>Compare {topic} with {document}</source>
      <translation>{topic} vergleichen mit {document}</translation>
    </message>
    <message>
      <source>What does “{topic}” in {document} say?</source>
      <translation>Was steht unter „{topic}“ in {document}?</translation>
    </message>
    <message>
      <source>What else is said about {topic}?</source>
      <translation>Was wird noch über {topic} gesagt?</translation>
    </message>
  </context>
  <context>
    <name>ForgetControl</name>
    <message numerus="yes">
      <source>%Ln bookmark(s)</source>
      <translation>
        <numerusform>%Ln Lesezeichen</numerusform>
        <numerusform>%Ln Lesezeichen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message>
      <source>1 stored answer uses it. If erased, its question stays.</source>
      <translation>1 gespeicherte Antwort verwendet es. Wird sie gelöscht, bleibt ihre Frage.</translation>
    </message>
    <message>
      <source>No stored answer quotes it now; older copies of your conversations may.</source>
      <translation>Keine gespeicherte Antwort zitiert es jetzt; ältere Kopien Ihrer Gespräche vielleicht.</translation>
    </message>
    <message>
      <source>Nothing of “{0}” is left in the library</source>
      <translation>Von „{0}“ ist nichts mehr in der Bibliothek</translation>
    </message>
    <message>
      <source>{0} and {1}</source>
      <translation>{0} und {1}</translation>
    </message>
    <message>
      <source>{0} stored answers use it. If erased, their questions stay.</source>
      <translation>{0} gespeicherte Antworten verwenden es. Werden sie gelöscht, bleiben ihre Fragen.</translation>
    </message>
    <message>
      <source>“{0}” is forgotten; its text is being overwritten</source>
      <translation>„{0}“ ist vergessen; sein Text wird überschrieben</translation>
    </message>
  </context>
  <context>
    <name>ForgetDialog</name>
    <message>
      <source>Also erase its quotes in conversations</source>
      <translation>Auch seine Zitate in Gesprächen löschen</translation>
    </message>
    <message>
      <source>Also in the backups of the conversations</source>
      <translation>Auch in den Sicherungen der Gespräche</translation>
    </message>
    <message>
      <source>Forget</source>
      <translation>Vergessen</translation>
    </message>
    <message>
      <source>Forget “{0}”?</source>
      <translation>„{0}“ vergessen?</translation>
    </message>
    <message>
      <source>The library erases the text of {0} and overwrites it. This cannot be undone.</source>
      <translation>Die Bibliothek löscht und überschreibt den Text ({0}). Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
      <source>Your files stay where they are. Copies in other folders of the library can still be found.</source>
      <translation>Ihre Dateien bleiben, wo sie sind. Kopien in anderen Ordnern der Bibliothek sind weiter zu finden.</translation>
    </message>
  </context>
  <context>
    <name>ForkDialog</name>
    <message>
      <source>Ask again</source>
      <translation>Noch einmal fragen</translation>
    </message>
    <message>
      <source>Ask again from a step</source>
      <translation>Ab einem Schritt noch einmal fragen</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Edit the queries to search for something else; leave them to let the model choose again.</source>
      <translation>Ändern Sie die Suchen, um nach etwas anderem zu suchen; lassen Sie sie stehen, damit das Modell neu wählt.</translation>
    </message>
    <message>
      <source>Queries, one per line</source>
      <translation>Suchen, eine je Zeile</translation>
    </message>
    <message>
      <source>Step</source>
      <translation>Schritt</translation>
    </message>
    <message>
      <source>Step {number}: {activity}</source>
      <translation>Schritt {number}: {activity}</translation>
    </message>
    <message>
      <source>The model chooses again what to do in this step.</source>
      <translation>Das Modell wählt neu, was es in diesem Schritt tut.</translation>
    </message>
    <message>
      <source>The steps before this one are repeated; the rest is new, in a separate conversation.</source>
      <translation>Die Schritte davor werden wiederholt; der Rest ist neu, in einem eigenen Gespräch.</translation>
    </message>
  </context>
  <context>
    <name>GuideDialog</name>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>User guide</source>
      <translation>Benutzerhandbuch (englisch)</translation>
    </message>
  </context>
  <context>
    <name>GuideList</name>
    <message>
      <source>Guide</source>
      <translation>Überblick</translation>
    </message>
    <message>
      <source>Summary and questions</source>
      <translation>Zusammenfassung und Fragen</translation>
    </message>
  </context>
  <context>
    <name>HistoryButtons</name>
    <message>
      <source>Back to where you were</source>
      <translation>Zurück, wo Sie waren</translation>
    </message>
    <message>
      <source>Forward again</source>
      <translation>Wieder vor</translation>
    </message>
  </context>
  <context>
    <name>HitList</name>
    <message>
      <source>Matches</source>
      <translation>Treffer</translation>
    </message>
  </context>
  <context>
    <name>HostDialog</name>
    <message>
      <source>Send</source>
      <translation>Senden</translation>
    </message>
    <message>
      <source>Send questions to {0}?</source>
      <translation>Fragen an {0} senden?</translation>
    </message>
    <message>
      <source>What is never sent, and what was sent, is in the settings under Privacy. You are asked once.</source>
      <translation>Was nie gesendet wird und was gesendet wurde, steht in den Einstellungen unter Datenschutz. Gefragt wird nur einmal.</translation>
    </message>
    <message>
      <source>{0} is another computer. It receives your questions and the passages that are read to answer them.</source>
      <translation>{0} ist ein anderer Computer. Er erhält Ihre Fragen und die Stellen, die für die Antworten gelesen werden.</translation>
    </message>
  </context>
  <context>
    <name>HungWindowDialog</name>
    <message>
      <source>Desktop RAG does not answer</source>
      <translation>Desktop RAG antwortet nicht</translation>
    </message>
    <message>
      <source>End it and start anew</source>
      <translation>Beenden und neu starten</translation>
    </message>
    <message>
      <source>The library is open in another window, which does not answer. It may be busy.</source>
      <translation>Die Bibliothek ist in einem anderen Fenster geöffnet, das nicht antwortet. Vielleicht ist es beschäftigt.</translation>
    </message>
    <message>
      <source>Wait a moment: this start goes on when it answers. Or end it: questions in progress stop, everything that was stored stays.</source>
      <translation>Warten Sie einen Moment: Dieser Start geht weiter, sobald es antwortet. Oder beenden Sie es: Laufende Fragen brechen ab, alles Gespeicherte bleibt.</translation>
    </message>
  </context>
  <context>
    <name>ImportDialog</name>
    <message numerus="yes">
      <source>%Ln setting(s) change:</source>
      <translation>
        <numerusform>%Ln Einstellung ändert sich:</numerusform>
        <numerusform>%Ln Einstellungen ändern sich:</numerusform>
      </translation>
    </message>
    <message>
      <source>A new model has no key yet; type it on the page Models.</source>
      <translation>Ein neues Modell hat noch keinen Schlüssel; geben Sie ihn auf der Seite „Modelle“ ein.</translation>
    </message>
    <message>
      <source>Import settings</source>
      <translation>Einstellungen importieren</translation>
    </message>
    <message>
      <source>Nothing changes.</source>
      <translation>Nichts ändert sich.</translation>
    </message>
    <message>
      <source>The model in use, stored keys and the editor stay as they are.</source>
      <translation>Das benutzte Modell, gespeicherte Schlüssel und der Editor bleiben, wie sie sind.</translation>
    </message>
    <message>
      <source>Use these settings</source>
      <translation>Diese Einstellungen verwenden</translation>
    </message>
  </context>
  <context>
    <name>InertBrowser</name>
    <message>
      <source>Copy link</source>
      <translation>Link kopieren</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>Im Browser öffnen</translation>
    </message>
  </context>
  <context>
    <name>InsightControl</name>
    <message>
      <source>Recent documents</source>
      <translation>Zuletzt geöffnete Dokumente</translation>
    </message>
    <message>
      <source>Recent searches</source>
      <translation>Letzte Suchen</translation>
    </message>
  </context>
  <context>
    <name>Languages</name>
    <message>
      <source>Afrikaans</source>
      <translation>Afrikaans</translation>
    </message>
    <message>
      <source>Albanian</source>
      <translation>Albanisch</translation>
    </message>
    <message>
      <source>Amharic</source>
      <translation>Amharisch</translation>
    </message>
    <message>
      <source>Arabic</source>
      <translation>Arabisch</translation>
    </message>
    <message>
      <source>Armenian</source>
      <translation>Armenisch</translation>
    </message>
    <message>
      <source>Basque</source>
      <translation>Baskisch</translation>
    </message>
    <message>
      <source>Belarusian</source>
      <translation>Belarussisch</translation>
    </message>
    <message>
      <source>Bengali</source>
      <translation>Bengalisch</translation>
    </message>
    <message>
      <source>Bulgarian</source>
      <translation>Bulgarisch</translation>
    </message>
    <message>
      <source>Burmese</source>
      <translation>Birmanisch</translation>
    </message>
    <message>
      <source>Catalan</source>
      <translation>Katalanisch</translation>
    </message>
    <message>
      <source>Central Kurdish</source>
      <translation>Zentralkurdisch</translation>
    </message>
    <message>
      <source>Chinese</source>
      <translation>Chinesisch</translation>
    </message>
    <message>
      <source>Croatian</source>
      <translation>Kroatisch</translation>
    </message>
    <message>
      <source>Czech</source>
      <translation>Tschechisch</translation>
    </message>
    <message>
      <source>Danish</source>
      <translation>Dänisch</translation>
    </message>
    <message>
      <source>Dutch</source>
      <translation>Niederländisch</translation>
    </message>
    <message>
      <source>English</source>
      <translation>Englisch</translation>
    </message>
    <message>
      <source>Esperanto</source>
      <translation>Esperanto</translation>
    </message>
    <message>
      <source>Estonian</source>
      <translation>Estnisch</translation>
    </message>
    <message>
      <source>Filipino</source>
      <translation>Filipino</translation>
    </message>
    <message>
      <source>Finnish</source>
      <translation>Finnisch</translation>
    </message>
    <message>
      <source>French</source>
      <translation>Französisch</translation>
    </message>
    <message>
      <source>Galician</source>
      <translation>Galicisch</translation>
    </message>
    <message>
      <source>Georgian</source>
      <translation>Georgisch</translation>
    </message>
    <message>
      <source>German</source>
      <translation>Deutsch</translation>
    </message>
    <message>
      <source>Greek</source>
      <translation>Griechisch</translation>
    </message>
    <message>
      <source>Gujarati</source>
      <translation>Gujarati</translation>
    </message>
    <message>
      <source>Hebrew</source>
      <translation>Hebräisch</translation>
    </message>
    <message>
      <source>Hindi</source>
      <translation>Hindi</translation>
    </message>
    <message>
      <source>Hungarian</source>
      <translation>Ungarisch</translation>
    </message>
    <message>
      <source>Icelandic</source>
      <translation>Isländisch</translation>
    </message>
    <message>
      <source>Indonesian</source>
      <translation>Indonesisch</translation>
    </message>
    <message>
      <source>Irish</source>
      <translation>Irisch</translation>
    </message>
    <message>
      <source>Italian</source>
      <translation>Italienisch</translation>
    </message>
    <message>
      <source>Japanese</source>
      <translation>Japanisch</translation>
    </message>
    <message>
      <source>Kannada</source>
      <translation>Kannada</translation>
    </message>
    <message>
      <source>Kazakh</source>
      <translation>Kasachisch</translation>
    </message>
    <message>
      <source>Khmer</source>
      <translation>Khmer</translation>
    </message>
    <message>
      <source>Korean</source>
      <translation>Koreanisch</translation>
    </message>
    <message>
      <source>Lao</source>
      <translation>Laotisch</translation>
    </message>
    <message>
      <source>Latin</source>
      <translation>Latein</translation>
    </message>
    <message>
      <source>Latvian</source>
      <translation>Lettisch</translation>
    </message>
    <message>
      <source>Lithuanian</source>
      <translation>Litauisch</translation>
    </message>
    <message>
      <source>Macedonian</source>
      <translation>Mazedonisch</translation>
    </message>
    <message>
      <source>Malay</source>
      <translation>Malaiisch</translation>
    </message>
    <message>
      <source>Malayalam</source>
      <translation>Malayalam</translation>
    </message>
    <message>
      <source>Marathi</source>
      <translation>Marathi</translation>
    </message>
    <message>
      <source>Mongolian</source>
      <translation>Mongolisch</translation>
    </message>
    <message>
      <source>Nepali</source>
      <translation>Nepalesisch</translation>
    </message>
    <message>
      <source>Norwegian</source>
      <translation>Norwegisch</translation>
    </message>
    <message>
      <source>Odia</source>
      <translation>Oriya</translation>
    </message>
    <message>
      <source>Persian</source>
      <translation>Persisch</translation>
    </message>
    <message>
      <source>Polish</source>
      <translation>Polnisch</translation>
    </message>
    <message>
      <source>Portuguese</source>
      <translation>Portugiesisch</translation>
    </message>
    <message>
      <source>Punjabi</source>
      <translation>Punjabi</translation>
    </message>
    <message>
      <source>Romanian</source>
      <translation>Rumänisch</translation>
    </message>
    <message>
      <source>Russian</source>
      <translation>Russisch</translation>
    </message>
    <message>
      <source>Serbian</source>
      <translation>Serbisch</translation>
    </message>
    <message>
      <source>Sinhala</source>
      <translation>Singhalesisch</translation>
    </message>
    <message>
      <source>Slovak</source>
      <translation>Slowakisch</translation>
    </message>
    <message>
      <source>Slovenian</source>
      <translation>Slowenisch</translation>
    </message>
    <message>
      <source>Spanish</source>
      <translation>Spanisch</translation>
    </message>
    <message>
      <source>Swahili</source>
      <translation>Suaheli</translation>
    </message>
    <message>
      <source>Swedish</source>
      <translation>Schwedisch</translation>
    </message>
    <message>
      <source>Tamil</source>
      <translation>Tamil</translation>
    </message>
    <message>
      <source>Telugu</source>
      <translation>Telugu</translation>
    </message>
    <message>
      <source>Thai</source>
      <translation>Thailändisch</translation>
    </message>
    <message>
      <source>Tibetan</source>
      <translation>Tibetisch</translation>
    </message>
    <message>
      <source>Turkish</source>
      <translation>Türkisch</translation>
    </message>
    <message>
      <source>Ukrainian</source>
      <translation>Ukrainisch</translation>
    </message>
    <message>
      <source>Urdu</source>
      <translation>Urdu</translation>
    </message>
    <message>
      <source>Vietnamese</source>
      <translation>Vietnamesisch</translation>
    </message>
    <message>
      <source>Welsh</source>
      <translation>Walisisch</translation>
    </message>
  </context>
  <context>
    <name>LearnedDialog</name>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln Token</numerusform>
        <numerusform>%Ln Token</numerusform>
      </translation>
    </message>
    <message>
      <source>A message of yours is added to the tool's result before it.</source>
      <translation>Eine Nachricht von Ihnen wird an das Werkzeugergebnis davor angehängt.</translation>
    </message>
    <message>
      <source>A request of {0} tokens arrived whole: it repeated a code at the beginning.</source>
      <translation>Eine Anfrage von {0} Token kam ganz an: Das Modell wiederholte einen Code von ihrem Anfang.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Examined: it searches by itself.</source>
      <translation>Untersucht: Es sucht selbst.</translation>
    </message>
    <message>
      <source>Examined: the program searches for it, and it says what the passages say.</source>
      <translation>Untersucht: Das Programm sucht für das Modell, und dieses sagt, was in den Stellen steht.</translation>
    </message>
    <message>
      <source>Fields it refused: {0}.</source>
      <translation>Felder, die er abgelehnt hat: {0}.</translation>
    </message>
    <message>
      <source>Forget it</source>
      <translation>Vergessen</translation>
    </message>
    <message>
      <source>From its answers and refusals; used in every request to it.</source>
      <translation>Aus seinen Antworten und Ablehnungen; gilt für jede Anfrage an ihn.</translation>
    </message>
    <message>
      <source>Instructions are sent with the first question.</source>
      <translation>Anweisungen werden mit der ersten Frage gesendet.</translation>
    </message>
    <message>
      <source>It calls tools, several in one turn.</source>
      <translation>Er ruft Werkzeuge auf, auch mehrere auf einmal.</translation>
    </message>
    <message>
      <source>It calls tools.</source>
      <translation>Er ruft Werkzeuge auf.</translation>
    </message>
    <message>
      <source>It counts {0} % of the tokens that are estimated; estimates are corrected by that.</source>
      <translation>Er zählt {0} % der geschätzten Tokens; Schätzungen werden danach berichtigt.</translation>
    </message>
    <message>
      <source>It has {0} billion parameters.</source>
      <translation>Es hat {0} Milliarden Parameter.</translation>
    </message>
    <message>
      <source>It is small: the program searches for it, and it says what the passages say.</source>
      <translation>Es ist klein: Das Programm sucht für das Modell, und dieses sagt, was in den Stellen steht.</translation>
    </message>
    <message>
      <source>It is spoken to by the Responses API, which it asked for.</source>
      <translation>Er wird über die Responses-API angesprochen, die er verlangt hat.</translation>
    </message>
    <message>
      <source>It makes no calls: they are asked for as JSON in its text. It is tried again after a day.</source>
      <translation>Er macht keine Aufrufe: Sie werden als JSON im Text verlangt. Nach einem Tag wird es wieder versucht.</translation>
    </message>
    <message>
      <source>It refused tools: calls are asked for as JSON in its text. Tools are offered again after a day.</source>
      <translation>Er hat Werkzeuge abgelehnt: Aufrufe werden als JSON im Text verlangt. Nach einem Tag werden Werkzeuge wieder angeboten.</translation>
    </message>
    <message>
      <source>It reports no tokens; they are estimated.</source>
      <translation>Er meldet keine Token; sie werden geschätzt.</translation>
    </message>
    <message>
      <source>It reports the tokens of each request.</source>
      <translation>Er meldet die Token jeder Anfrage.</translation>
    </message>
    <message>
      <source>Its context window: {0}.</source>
      <translation>Sein Kontextfenster: {0}.</translation>
    </message>
    <message>
      <source>Its longest answer: {0} tokens.</source>
      <translation>Seine längste Antwort: {0} Token.</translation>
    </message>
    <message>
      <source>Its searches led to no answer: the program searches for it. It is tried again after a day.</source>
      <translation>Seine Suchen führten zu keiner Antwort: Das Programm sucht für ihn. Nach einem Tag wird es wieder versucht.</translation>
    </message>
    <message>
      <source>Its thinking comes in the field {0}.</source>
      <translation>Sein Denken kommt im Feld {0}.</translation>
    </message>
    <message>
      <source>Its thinking is not sent back.</source>
      <translation>Sein Denken wird nicht zurückgesendet.</translation>
    </message>
    <message>
      <source>Its thinking is sent back with every message.</source>
      <translation>Sein Denken wird mit jeder Nachricht zurückgesendet.</translation>
    </message>
    <message>
      <source>Its yes or no tells nothing about statements, or how sure it is.</source>
      <translation>Sein Ja oder Nein sagt nichts über Aussagen, oder nicht, wie sicher es ist.</translation>
    </message>
    <message>
      <source>Its yes or no tells plain statements apart: it is asked about those of its answers.</source>
      <translation>Sein Ja oder Nein unterscheidet einfache Aussagen: Es wird zu denen seiner Antworten befragt.</translation>
    </message>
    <message>
      <source>Learned</source>
      <translation>Gelernt</translation>
    </message>
    <message>
      <source>Learned about “{0}”</source>
      <translation>Gelernt über „{0}“</translation>
    </message>
    <message>
      <source>Messages of one side are joined: the sides must take turns.</source>
      <translation>Nachrichten einer Seite werden verbunden: Die Seiten müssen sich abwechseln.</translation>
    </message>
    <message>
      <source>Messages without text are sent with an empty one.</source>
      <translation>Nachrichten ohne Text werden mit einem leeren gesendet.</translation>
    </message>
    <message>
      <source>Nothing yet: requests are as most models take them, until this one refuses something.</source>
      <translation>Noch nichts: Anfragen sind so, wie die meisten Modelle sie annehmen, bis dieses etwas ablehnt.</translation>
    </message>
    <message>
      <source>Reasons it gave for an end: {0}.</source>
      <translation>Gründe, die er für ein Ende nannte: {0}.</translation>
    </message>
    <message>
      <source>Results of tools carry the tool's name.</source>
      <translation>Ergebnisse von Werkzeugen tragen deren Namen.</translation>
    </message>
    <message>
      <source>The longest answer is sent as {0}.</source>
      <translation>Die längste Antwort wird als {0} gesendet.</translation>
    </message>
    <message>
      <source>The reasoning effort that it accepts: {0}.</source>
      <translation>Der Denkaufwand, den er annimmt: {0}.</translation>
    </message>
    <message>
      <source>Tools are described as long as their results are there.</source>
      <translation>Werkzeuge werden beschrieben, solange ihre Ergebnisse da sind.</translation>
    </message>
  </context>
  <context>
    <name>Libraries</name>
    <message>
      <source>My library</source>
      <translation>Meine Bibliothek</translation>
    </message>
  </context>
  <context>
    <name>LibrariesControl</name>
    <message>
      <source>Create</source>
      <translation>Anlegen</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete “{0}”?</source>
      <translation>„{0}“ löschen?</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>Ordner der Bibliothek</translation>
    </message>
    <message>
      <source>Its index, conversations, bookmarks, notes and searches are deleted. Your documents stay where they are.</source>
      <translation>Ihr Index, ihre Gespräche, Lesezeichen, Notizen und Suchen werden gelöscht. Ihre Dokumente bleiben, wo sie sind.</translation>
    </message>
    <message>
      <source>New library</source>
      <translation>Neue Bibliothek</translation>
    </message>
    <message>
      <source>Nothing is deleted. “Open library…” adds it again.</source>
      <translation>Nichts wird gelöscht. „Bibliothek öffnen…“ nimmt sie wieder auf.</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Remove “{0}” from the list?</source>
      <translation>„{0}“ aus der Liste entfernen?</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Rename library</source>
      <translation>Bibliothek umbenennen</translation>
    </message>
    <message>
      <source>The library's new folder</source>
      <translation>Der neue Ordner der Bibliothek</translation>
    </message>
    <message>
      <source>Your conversations and notes with it stay here. “Add team library…” with its address adds it again.</source>
      <translation>Ihre Gespräche und Notizen dazu bleiben hier. „Team-Bibliothek hinzufügen…“ mit ihrer Adresse fügt sie wieder hinzu.</translation>
    </message>
    <message>
      <source>“{0}” was changed</source>
      <translation>„{0}“ wurde geändert</translation>
    </message>
    <message>
      <source>“{0}” was deleted</source>
      <translation>„{0}“ wurde gelöscht</translation>
    </message>
    <message>
      <source>“{0}” was removed from the list</source>
      <translation>„{0}“ wurde aus der Liste entfernt</translation>
    </message>
  </context>
  <context>
    <name>LibraryControl</name>
    <message>
      <source>Found “{0}” again; {1} of {2} files did not need to be read again</source>
      <translation>„{0}“ wiedergefunden; {1} von {2} Dateien mussten nicht neu gelesen werden</translation>
    </message>
    <message>
      <source>Something went wrong</source>
      <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
      <source>“{0}” was not added</source>
      <translation>„{0}“ wurde nicht aufgenommen</translation>
    </message>
    <message>
      <source>“{0}” was not attached. {1}</source>
      <translation>„{0}“ wurde nicht angehängt. {1}</translation>
    </message>
  </context>
  <context>
    <name>LibraryDelegate</name>
    <message>
      <source>Meaning {0}</source>
      <translation>Bedeutung {0}</translation>
    </message>
    <message>
      <source>Words {0}</source>
      <translation>Wörter {0}</translation>
    </message>
    <message>
      <source>Words {0} of {1}</source>
      <translation>Wörter {0} von {1}</translation>
    </message>
  </context>
  <context>
    <name>LibraryFooter</name>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation>
        <numerusform>%Ln Seite</numerusform>
        <numerusform>%Ln Seiten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln Stelle</numerusform>
        <numerusform>%Ln Stellen</numerusform>
      </translation>
    </message>
    <message>
      <source>Finding what belongs together</source>
      <translation>Sucht, was zusammengehört</translation>
    </message>
    <message>
      <source>How to fix it…</source>
      <translation>Was hilft…</translation>
    </message>
    <message>
      <source>Looking for changes</source>
      <translation>Sucht nach Änderungen</translation>
    </message>
    <message>
      <source>Meaning {0} %</source>
      <translation>Bedeutung {0} %</translation>
    </message>
    <message>
      <source>Overwriting forgotten text</source>
      <translation>Vergessener Text wird überschrieben</translation>
    </message>
    <message>
      <source>Pause or schedule reading</source>
      <translation>Lesen anhalten oder planen</translation>
    </message>
    <message>
      <source>Reading is paused</source>
      <translation>Das Lesen ist angehalten</translation>
    </message>
    <message>
      <source>Reading text in pictures</source>
      <translation>Liest Text in Bildern</translation>
    </message>
    <message>
      <source>Reading {0}</source>
      <translation>Liest {0}</translation>
    </message>
    <message>
      <source>Resume reading</source>
      <translation>Weiterlesen</translation>
    </message>
    <message numerus="yes">
      <source>The words of %Ln file(s) cannot be found yet</source>
      <translation>
        <numerusform>%Ln Datei noch nicht auffindbar</numerusform>
        <numerusform>%Ln Dateien noch nicht auffindbar</numerusform>
      </translation>
    </message>
    <message>
      <source>Up to date</source>
      <translation>Auf dem neuesten Stand</translation>
    </message>
    <message>
      <source>Words can be found, meaning follows</source>
      <translation>Wörter auffindbar, Bedeutung folgt</translation>
    </message>
    <message>
      <source>Work now all the same</source>
      <translation>Trotzdem jetzt arbeiten</translation>
    </message>
    <message>
      <source>{0} left</source>
      <translation>noch {0}</translation>
    </message>
    <message>
      <source>{0} without text – scans or pictures</source>
      <translation>{0} ohne Text – Scans oder Bilder</translation>
    </message>
    <message>
      <source>{0} without text…</source>
      <translation>{0} ohne Text…</translation>
    </message>
  </context>
  <context>
    <name>LibraryModel</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln more…</source>
      <translation>
        <numerusform>%Ln weitere …</numerusform>
        <numerusform>%Ln weitere …</numerusform>
      </translation>
    </message>
    <message>
      <source>Checking</source>
      <translation>Wird geprüft</translation>
    </message>
    <message>
      <source>Looking for files…</source>
      <translation>Sucht nach Dateien…</translation>
    </message>
    <message>
      <source>No file was read</source>
      <translation>Keine Datei wurde gelesen</translation>
    </message>
    <message>
      <source>No files found</source>
      <translation>Keine Dateien gefunden</translation>
    </message>
    <message>
      <source>Not here now; its text can still be searched.</source>
      <translation>Gerade nicht da; der Text ist weiter durchsuchbar.</translation>
    </message>
    <message>
      <source>Not here since {0}; its text can still be searched.</source>
      <translation>Nicht da seit {0}; der Text ist weiter durchsuchbar.</translation>
    </message>
    <message>
      <source>Offline</source>
      <translation>Nicht verbunden</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>Angehalten</translation>
    </message>
    <message>
      <source>Words: {0} of {1} files, meaning: {2}</source>
      <translation>Wörter: {0} von {1} Dateien, Bedeutung: {2}</translation>
    </message>
    <message>
      <source>{0} of {1} files</source>
      <translation>{0} von {1} Dateien</translation>
    </message>
  </context>
  <context>
    <name>LibraryPanel</name>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Check for changes now</source>
      <translation>Jetzt nach Änderungen suchen</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <source>Files of the library (Ctrl+Shift+L)</source>
      <translation>Dateien der Bibliothek (Strg+Umschalt+L)</translation>
    </message>
    <message>
      <source>Folder was moved…</source>
      <translation>Ordner wurde verschoben…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Forget: erase its text for good…</source>
      <translation>Vergessen: Text endgültig löschen …</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>Bibliothek</translation>
    </message>
    <message>
      <source>No folder is selected</source>
      <translation>Kein Ordner ist ausgewählt</translation>
    </message>
    <message>
      <source>On the selected folder</source>
      <translation>Für den ausgewählten Ordner</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Open in the file manager</source>
      <translation>Im Dateimanager öffnen</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Remove from library (can be undone)</source>
      <translation>Aus der Bibliothek entfernen (rückgängig zu machen)</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <source>Rules…</source>
      <translation>Regeln…</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Show its files</source>
      <translation>Dateien zeigen</translation>
    </message>
    <message>
      <source>Show problems</source>
      <translation>Probleme zeigen</translation>
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation>Warum wird eine Datei gefunden oder nicht?…</translation>
    </message>
  </context>
  <context>
    <name>LibrarySwitch</name>
    <message>
      <source>Add team library…</source>
      <translation>Team-Bibliothek hinzufügen…</translation>
    </message>
    <message>
      <source>Delete…</source>
      <translation>Löschen…</translation>
    </message>
    <message>
      <source>Edit team library…</source>
      <translation>Team-Bibliothek bearbeiten…</translation>
    </message>
    <message>
      <source>Libraries</source>
      <translation>Bibliotheken</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>Bibliothek</translation>
    </message>
    <message>
      <source>Library “{0}”: switch to another one</source>
      <translation>Bibliothek „{0}“: zu einer anderen wechseln</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>Neue Bibliothek…</translation>
    </message>
    <message>
      <source>Only a team library has an address</source>
      <translation>Nur eine Team-Bibliothek hat eine Adresse</translation>
    </message>
    <message>
      <source>Open library…</source>
      <translation>Bibliothek öffnen…</translation>
    </message>
    <message>
      <source>Remove from this list…</source>
      <translation>Aus dieser Liste entfernen…</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>Umbenennen…</translation>
    </message>
    <message>
      <source>There is only this library</source>
      <translation>Es gibt nur diese Bibliothek</translation>
    </message>
    <message>
      <source>{0} (not connected)</source>
      <translation>{0} (nicht verbunden)</translation>
    </message>
  </context>
  <context>
    <name>LimitsPage</name>
    <message>
      <source> seconds</source>
      <translation> Sekunden</translation>
    </message>
    <message>
      <source> tokens</source>
      <translation> Token</translation>
    </message>
    <message>
      <source>Before a request may pass one of these, you are asked. They count where prices are set for the model.</source>
      <translation>Bevor eine Anfrage eine dieser Grenzen überschreiten darf, werden Sie gefragt. Sie gelten, wo für das Modell Preise eingetragen sind.</translation>
    </message>
    <message>
      <source>Context per request</source>
      <translation>Kontext je Anfrage</translation>
    </message>
    <message>
      <source>Money per day</source>
      <translation>Geld am Tag</translation>
    </message>
    <message>
      <source>Money per month</source>
      <translation>Geld im Monat</translation>
    </message>
    <message>
      <source>Money per run</source>
      <translation>Geld pro Lauf</translation>
    </message>
    <message>
      <source>No limit</source>
      <translation>Keine Grenze</translation>
    </message>
    <message>
      <source>Searches and reads</source>
      <translation>Suchen und Lesevorgänge</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <source>Tokens per run</source>
      <translation>Token je Lauf</translation>
    </message>
    <message>
      <source>When a run reaches one of these limits, you are asked whether it may go on. If you do not answer within a minute, the answer uses what was found until then; the built-in model never asks.</source>
      <translation>Erreicht ein Lauf eine dieser Grenzen, werden Sie gefragt, ob er weitergehen darf. Antworten Sie nicht innerhalb einer Minute, beruht die Antwort auf dem bis dahin Gefundenen; das eingebaute Modell fragt nie.</translation>
    </message>
  </context>
  <context>
    <name>LineEditor</name>
    <message>
      <source>Text of the document</source>
      <translation>Text des Dokuments</translation>
    </message>
  </context>
  <context>
    <name>LinkControl</name>
    <message>
      <source>“{0}” has no text to show</source>
      <translation>„{0}“ hat keinen Text, der angezeigt werden kann</translation>
    </message>
    <message>
      <source>“{0}” is not in this library, so the link was not opened</source>
      <translation>„{0}“ ist nicht in dieser Bibliothek, der Link wurde daher nicht geöffnet</translation>
    </message>
  </context>
  <context>
    <name>LoginStart</name>
    <message>
      <source>The start at login cannot be changed ({0}).</source>
      <translation>Der Start beim Anmelden lässt sich nicht ändern ({0}).</translation>
    </message>
  </context>
  <context>
    <name>MailField</name>
    <message>
      <source>Attachments</source>
      <translation>Anhänge</translation>
    </message>
    <message>
      <source>Bcc</source>
      <translation>Bcc</translation>
    </message>
    <message>
      <source>Cc</source>
      <translation>Cc</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Datum</translation>
    </message>
    <message>
      <source>From</source>
      <translation>Von</translation>
    </message>
    <message>
      <source>Subject</source>
      <translation>Betreff</translation>
    </message>
    <message>
      <source>To</source>
      <translation>An</translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message>
      <source>Add a folder to your library</source>
      <translation>Ordner in Ihre Bibliothek aufnehmen</translation>
    </message>
    <message>
      <source>Add files to your library</source>
      <translation>Dateien in Ihre Bibliothek aufnehmen</translation>
    </message>
    <message>
      <source>Archived “{0}”</source>
      <translation>„{0}“ archiviert</translation>
    </message>
    <message>
      <source>Conversation</source>
      <translation>Gespräch</translation>
    </message>
    <message>
      <source>Deleted “{0}”</source>
      <translation>„{0}“ gelöscht</translation>
    </message>
    <message>
      <source>Files of the library</source>
      <translation>Dateien der Bibliothek</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>Bibliothek</translation>
    </message>
    <message>
      <source>Library and conversations</source>
      <translation>Bibliothek und Gespräche</translation>
    </message>
    <message>
      <source>Model in use: {0}</source>
      <translation>Verwendetes Modell: {0}</translation>
    </message>
    <message>
      <source>Removed “{0}” from the library</source>
      <translation>„{0}“ aus der Bibliothek entfernt</translation>
    </message>
    <message>
      <source>Rules of “{0}” changed</source>
      <translation>Regeln von „{0}“ geändert</translation>
    </message>
    <message>
      <source>The model that answers; click to choose another one</source>
      <translation>Das Modell, das antwortet; klicken, um ein anderes zu wählen</translation>
    </message>
    <message>
      <source>The new location of “{0}”</source>
      <translation>Der neue Ort von „{0}“</translation>
    </message>
  </context>
  <context>
    <name>Menus</name>
    <message>
      <source>&amp;Edit</source>
      <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <source>About Desktop RAG</source>
      <translation>Über Desktop RAG</translation>
    </message>
    <message>
      <source>Add files…</source>
      <translation>Dateien hinzufügen…</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Bookmarks and notes…</source>
      <translation>Lesezeichen und Notizen…</translation>
    </message>
    <message>
      <source>Check for updates…</source>
      <translation>Nach Aktualisierungen suchen…</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Cut</source>
      <translation>Ausschneiden</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Files of the library</source>
      <translation>Dateien der Bibliothek</translation>
    </message>
    <message>
      <source>Find a command…</source>
      <translation>Befehl suchen…</translation>
    </message>
    <message>
      <source>Find a conversation</source>
      <translation>Gespräch suchen</translation>
    </message>
    <message>
      <source>Find in document…</source>
      <translation>Im Dokument suchen…</translation>
    </message>
    <message>
      <source>Full screen</source>
      <translation>Vollbild</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>Tastenkürzel</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>New conversation</source>
      <translation>Neues Gespräch</translation>
    </message>
    <message>
      <source>Nothing that can be undone was changed in the last seconds</source>
      <translation>In den letzten Sekunden wurde nichts geändert, was sich rückgängig machen lässt</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>Einfügen</translation>
    </message>
    <message>
      <source>Problems of the library</source>
      <translation>Probleme der Bibliothek</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
      <source>Redo typing</source>
      <translation>Eingabe wiederherstellen</translation>
    </message>
    <message>
      <source>Reports</source>
      <translation>Berichte</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Select all</source>
      <translation>Alles auswählen</translation>
    </message>
    <message>
      <source>Settings…</source>
      <translation>Einstellungen…</translation>
    </message>
    <message>
      <source>Show document</source>
      <translation>Dokument zeigen</translation>
    </message>
    <message>
      <source>Show library and conversations</source>
      <translation>Bibliothek und Gespräche zeigen</translation>
    </message>
    <message>
      <source>Standing questions</source>
      <translation>Stehende Fragen</translation>
    </message>
    <message>
      <source>Statistics of the library</source>
      <translation>Statistik der Bibliothek</translation>
    </message>
    <message>
      <source>Tables over documents</source>
      <translation>Tabellen über Dokumente</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>Tour of the window</source>
      <translation>Rundgang durch das Fenster</translation>
    </message>
    <message>
      <source>Undo the last change</source>
      <translation>Letzte Änderung rückgängig machen</translation>
    </message>
    <message>
      <source>Undo typing</source>
      <translation>Eingabe rückgängig machen</translation>
    </message>
    <message>
      <source>User guide</source>
      <translation>Benutzerhandbuch (englisch)</translation>
    </message>
    <message>
      <source>Why is a file found or not?…</source>
      <translation>Warum wird eine Datei gefunden oder nicht?…</translation>
    </message>
    <message>
      <source>Write a question</source>
      <translation>Frage schreiben</translation>
    </message>
  </context>
  <context>
    <name>MeterLegend</name>
    <message>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>Evidence</source>
      <translation>Belege</translation>
    </message>
    <message>
      <source>Free</source>
      <translation>Frei</translation>
    </message>
    <message>
      <source>History</source>
      <translation>Verlauf</translation>
    </message>
    <message>
      <source>Input tokens of this run</source>
      <translation>Eingabe-Token dieses Laufs</translation>
    </message>
    <message>
      <source>Instructions</source>
      <translation>Anweisungen</translation>
    </message>
    <message>
      <source>Kept for the answer</source>
      <translation>Für die Antwort freigehalten</translation>
    </message>
    <message>
      <source>Of these, for thinking</source>
      <translation>Davon für das Denken</translation>
    </message>
    <message>
      <source>Of these, from the server's cache</source>
      <translation>Davon aus dem Zwischenspeicher des Servers</translation>
    </message>
    <message>
      <source>Output tokens of this run</source>
      <translation>Ausgabe-Token dieses Laufs</translation>
    </message>
    <message>
      <source>Requests</source>
      <translation>Anfragen</translation>
    </message>
    <message>
      <source>Speed of the last request</source>
      <translation>Geschwindigkeit der letzten Anfrage</translation>
    </message>
    <message>
      <source>What the context holds</source>
      <translation>Was der Kontext enthält</translation>
    </message>
    <message>
      <source>~ estimated: the model reports no token counts</source>
      <translation>~ geschätzt: Das Modell meldet keine Tokenzahlen</translation>
    </message>
  </context>
  <context>
    <name>MethodPage</name>
    <message>
      <source>How a question is answered: how much is searched and read, and what counts as found.</source>
      <translation>Wie eine Frage beantwortet wird: wie viel gesucht und gelesen wird und was als gefunden gilt.</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Methode</translation>
    </message>
    <message>
      <source>Research: the systems of the papers</source>
      <translation>Forschung: die Systeme der Veröffentlichungen</translation>
    </message>
  </context>
  <context>
    <name>MissingChip</name>
    <message numerus="yes">
      <source>%Ln chosen folder(s) (is|are) gone – search all?</source>
      <translation>
        <numerusform>%Ln gewählter Ordner ist weg – alles durchsuchen?</numerusform>
        <numerusform>%Ln gewählte Ordner sind weg – alles durchsuchen?</numerusform>
      </translation>
    </message>
    <message>
      <source>No longer in your library: {0}</source>
      <translation>Nicht mehr in Ihrer Bibliothek: {0}</translation>
    </message>
  </context>
  <context>
    <name>MissingLibrary</name>
    <message>
      <source>Choose the library's new folder</source>
      <translation>Neuen Ordner der Bibliothek wählen</translation>
    </message>
    <message>
      <source>Find it…</source>
      <translation>Suchen…</translation>
    </message>
    <message>
      <source>It opens by itself when its disk is connected.</source>
      <translation>Sie öffnet sich von selbst, sobald ihr Laufwerk verbunden ist.</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>Diese Bibliothek fehlt</translation>
    </message>
  </context>
  <context>
    <name>ModeBox</name>
    <message>
      <source>How to search</source>
      <translation>Wie gesucht wird</translation>
    </message>
  </context>
  <context>
    <name>ModelField</name>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln Token</numerusform>
        <numerusform>%Ln Token</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Choose one of %Ln model(s)</source>
      <translation>
        <numerusform>Eines von %Ln Modell wählen</numerusform>
        <numerusform>Eines von %Ln Modellen wählen</numerusform>
      </translation>
    </message>
    <message>
      <source>Context: {0}</source>
      <translation>Kontext: {0}</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Test the connection to list the models</source>
      <translation>Testen Sie die Verbindung, um die Modelle aufzulisten</translation>
    </message>
    <message>
      <source>Use these prices</source>
      <translation>Diese Preise übernehmen</translation>
    </message>
    <message>
      <source>{0} / {1} US dollars per million tokens of input / output</source>
      <translation>{0} / {1} US-Dollar je Million Tokens Eingabe / Ausgabe</translation>
    </message>
  </context>
  <context>
    <name>ModelFilesDialog</name>
    <message numerus="yes">
      <source>%Ln model file(s) found</source>
      <translation>
        <numerusform>%Ln Modelldatei gefunden</numerusform>
        <numerusform>%Ln Modelldateien gefunden</numerusform>
      </translation>
    </message>
    <message>
      <source>A model file</source>
      <translation>Eine Modelldatei</translation>
    </message>
    <message>
      <source>A model file (GGUF) answers without a server: it runs in a process of this program, and nothing leaves this computer.</source>
      <translation>Eine Modelldatei (GGUF) antwortet ohne Server: Sie läuft in einem Prozess dieses Programms, und nichts verlässt diesen Computer.</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Choose a file…</source>
      <translation>Datei wählen…</translation>
    </message>
    <message>
      <source>Choose llama-server…</source>
      <translation>llama-server auswählen…</translation>
    </message>
    <message>
      <source>Chosen file</source>
      <translation>Gewählte Datei</translation>
    </message>
    <message>
      <source>Context</source>
      <translation>Kontext</translation>
    </message>
    <message>
      <source>Damaged</source>
      <translation>Beschädigt</translation>
    </message>
    <message numerus="yes">
      <source>Fits: %Ln token(s)</source>
      <translation>
        <numerusform>Passt: %Ln Token</numerusform>
        <numerusform>Passt: %Ln Token</numerusform>
      </translation>
    </message>
    <message>
      <source>Kept by</source>
      <translation>Gehört zu</translation>
    </message>
    <message>
      <source>Looking for the models of LM Studio, Ollama, Jan, GPT4All and llama.cpp…</source>
      <translation>Die Modelle von LM Studio, Ollama, Jan, GPT4All und llama.cpp werden gesucht…</translation>
    </message>
    <message>
      <source>Memory</source>
      <translation>Speicher</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Model files</source>
      <translation>Modelldateien</translation>
    </message>
    <message>
      <source>Model files (*.gguf)</source>
      <translation>Modelldateien (*.gguf)</translation>
    </message>
    <message>
      <source>Models are run by llama.cpp, which was not found on this computer. Install it with this command and open this window again, or choose its program llama-server.</source>
      <translation>Modelle werden mit llama.cpp ausgeführt, das auf diesem Computer nicht gefunden wurde. Installieren Sie es mit diesem Befehl und öffnen Sie dieses Fenster erneut, oder wählen Sie sein Programm llama-server aus.</translation>
    </message>
    <message>
      <source>Models run with {0}</source>
      <translation>Modelle werden mit {0} ausgeführt</translation>
    </message>
    <message>
      <source>No model file was found. Download one with LM Studio or Ollama, or choose a file.</source>
      <translation>Keine Modelldatei gefunden. Laden Sie eine mit LM Studio oder Ollama herunter, oder wählen Sie eine Datei.</translation>
    </message>
    <message>
      <source>On this computer</source>
      <translation>Auf diesem Computer</translation>
    </message>
    <message>
      <source>Quantisation</source>
      <translation>Quantisierung</translation>
    </message>
    <message>
      <source>Reading the file…</source>
      <translation>Die Datei wird gelesen…</translation>
    </message>
    <message>
      <source>Run a model on this computer</source>
      <translation>Ein Modell auf diesem Computer ausführen</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>The program llama-server</source>
      <translation>Das Programm llama-server</translation>
    </message>
    <message>
      <source>Too big: needs {0}</source>
      <translation>Zu groß: braucht {0}</translation>
    </message>
    <message>
      <source>Use this model</source>
      <translation>Dieses Modell verwenden</translation>
    </message>
    <message>
      <source>{0} is not a program.</source>
      <translation>{0} ist kein Programm.</translation>
    </message>
  </context>
  <context>
    <name>ModelPage</name>
    <message>
      <source>A model elsewhere, with an address and a key</source>
      <translation>Ein Modell anderswo, mit Adresse und Schlüssel</translation>
    </message>
    <message>
      <source>A model on this computer</source>
      <translation>Ein Modell auf diesem Computer</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>Address of the model</source>
      <translation>Adresse des Modells</translation>
    </message>
    <message>
      <source>Answers with quotes from your documents. Fast, private, and always there.</source>
      <translation>Antwortet mit Zitaten aus Ihren Dokumenten. Schnell, privat und immer da.</translation>
    </message>
    <message>
      <source>Any address</source>
      <translation>Beliebige Adresse</translation>
    </message>
    <message>
      <source>Built-in, no model needed</source>
      <translation>Eingebaut, kein Modell nötig</translation>
    </message>
    <message>
      <source>Connecting…</source>
      <translation>Verbindet…</translation>
    </message>
    <message>
      <source>Endpoint</source>
      <translation>Endpunkt</translation>
    </message>
    <message>
      <source>Kept in the keychain of your system</source>
      <translation>Liegt im Schlüsselbund Ihres Systems</translation>
    </message>
    <message>
      <source>Key</source>
      <translation>Schlüssel</translation>
    </message>
    <message>
      <source>Key of the model</source>
      <translation>Schlüssel des Modells</translation>
    </message>
    <message>
      <source>Keys are made at {0}.</source>
      <translation>Schlüssel gibt es unter {0}.</translation>
    </message>
    <message>
      <source>List its models</source>
      <translation>Seine Modelle auflisten</translation>
    </message>
    <message>
      <source>Look for a model on this computer</source>
      <translation>Auf diesem Computer nach einem Modell suchen</translation>
    </message>
    <message>
      <source>Looking…</source>
      <translation>Sucht…</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Models found on this computer</source>
      <translation>Auf diesem Computer gefundene Modelle</translation>
    </message>
    <message>
      <source>Name of the model</source>
      <translation>Name des Modells</translation>
    </message>
    <message>
      <source>No model server answered on this computer. You can go on without one, and add it later.</source>
      <translation>Auf diesem Computer antwortete kein Modellserver. Sie können ohne weitermachen und später einen hinzufügen.</translation>
    </message>
    <message>
      <source>Passages that answer your questions are sent to this address.</source>
      <translation>Stellen, die Ihre Fragen beantworten, werden an diese Adresse gesendet.</translation>
    </message>
    <message>
      <source>Provider</source>
      <translation>Anbieter</translation>
    </message>
    <message>
      <source>This connects to the ports {0} of this computer, and to nothing else.</source>
      <translation>Das verbindet sich mit den Ports {0} dieses Computers und mit nichts sonst.</translation>
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
      <translation>Ein leerer Ordner für die Bibliothek</translation>
    </message>
    <message>
      <source>Choose an empty folder, for example on another disk</source>
      <translation>Einen leeren Ordner wählen, etwa auf einem anderen Laufwerk</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
    <message>
      <source>Folder for its index and conversations</source>
      <translation>Ordner für Index und Gespräche</translation>
    </message>
    <message>
      <source>For example: Work</source>
      <translation>Zum Beispiel: Arbeit</translation>
    </message>
    <message>
      <source>In the default folder</source>
      <translation>Im üblichen Ordner</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>Name of the library</source>
      <translation>Name der Bibliothek</translation>
    </message>
    <message>
      <source>Your documents stay where they are.</source>
      <translation>Ihre Dokumente bleiben, wo sie sind.</translation>
    </message>
  </context>
  <context>
    <name>NoteDialog</name>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>Notiz</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>What do you want to remember?</source>
      <translation>Was möchten Sie sich merken?</translation>
    </message>
  </context>
  <context>
    <name>NotesControl</name>
    <message>
      <source>Choose the folder for your notes</source>
      <translation>Ordner für Ihre Notizen wählen</translation>
    </message>
    <message>
      <source>Saved to your notes as {0}</source>
      <translation>In Ihren Notizen gespeichert als {0}</translation>
    </message>
  </context>
  <context>
    <name>NoticeControl</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>A question could not be answered</source>
      <translation>Eine Frage konnte nicht beantwortet werden</translation>
    </message>
    <message>
      <source>A question has reached a limit and asks whether to go on</source>
      <translation>Eine Frage hat eine Grenze erreicht und fragt, ob es weitergehen soll</translation>
    </message>
    <message>
      <source>After {0}</source>
      <translation>Nach {0}</translation>
    </message>
    <message>
      <source>No answer was found in your library</source>
      <translation>In Ihrer Bibliothek wurde keine Antwort gefunden</translation>
    </message>
    <message>
      <source>The words of your documents can be searched</source>
      <translation>Die Wörter Ihrer Dokumente können durchsucht werden</translation>
    </message>
    <message>
      <source>Your answer is ready</source>
      <translation>Ihre Antwort ist da</translation>
    </message>
    <message>
      <source>{0} of {1} files; the library lists the others</source>
      <translation>{0} von {1} Dateien; die Bibliothek nennt die übrigen</translation>
    </message>
  </context>
  <context>
    <name>OutlineList</name>
    <message>
      <source>Outline</source>
      <translation>Gliederung</translation>
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
      <translation>Seite</translation>
    </message>
  </context>
  <context>
    <name>PageList</name>
    <message>
      <source>Advanced</source>
      <translation>Erweitert</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
  </context>
  <context>
    <name>PageView</name>
    <message>
      <source>Page {0}</source>
      <translation>Seite {0}</translation>
    </message>
    <message>
      <source>Pages of the document</source>
      <translation>Seiten des Dokuments</translation>
    </message>
  </context>
  <context>
    <name>PaletteControl</name>
    <message>
      <source>Not possible at the moment</source>
      <translation>Zurzeit nicht möglich</translation>
    </message>
  </context>
  <context>
    <name>PaletteDocuments</name>
    <message>
      <source>Document</source>
      <translation>Dokument</translation>
    </message>
  </context>
  <context>
    <name>PaletteModel</name>
    <message>
      <source>not possible now: {0}</source>
      <translation>jetzt nicht möglich: {0}</translation>
    </message>
  </context>
  <context>
    <name>PassageDiff</name>
    <message>
      <source>Added: {words}.</source>
      <translation>Hinzugefügt: {words}.</translation>
    </message>
    <message>
      <source>Removed: {words}.</source>
      <translation>Entfernt: {words}.</translation>
    </message>
    <message>
      <source>The passage has not changed.</source>
      <translation>Die Stelle hat sich nicht geändert.</translation>
    </message>
  </context>
  <context>
    <name>PassageView</name>
    <message>
      <source>Cited passage</source>
      <translation>Belegte Stelle</translation>
    </message>
  </context>
  <context>
    <name>PatternEditor</name>
    <message>
      <source>Patterns to ignore, one per line</source>
      <translation>Zu ignorierende Muster, eines je Zeile</translation>
    </message>
    <message>
      <source>decides about no file</source>
      <translation>entscheidet über keine Datei</translation>
    </message>
    <message numerus="yes">
      <source>keeps %Ln file(s)</source>
      <translation>
        <numerusform>behält %Ln Datei</numerusform>
        <numerusform>behält %Ln Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>leaves out %Ln file(s)</source>
      <translation>
        <numerusform>lässt %Ln Datei aus</numerusform>
        <numerusform>lässt %Ln Dateien aus</numerusform>
      </translation>
    </message>
    <message>
      <source>not valid</source>
      <translation>ungültig</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}: {1}</translation>
    </message>
  </context>
  <context>
    <name>PrivacyPage</name>
    <message>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <source>Data folder</source>
      <translation>Datenordner</translation>
    </message>
    <message>
      <source>Documents are read, indexed and searched on this computer only.</source>
      <translation>Dokumente werden nur auf diesem Computer gelesen, indiziert und durchsucht.</translation>
    </message>
    <message>
      <source>Its size is being measured …</source>
      <translation>Seine Größe wird ermittelt …</translation>
    </message>
    <message>
      <source>Nothing: the built-in model answers on this computer.</source>
      <translation>Nichts: Das eingebaute Modell antwortet auf diesem Computer.</translation>
    </message>
    <message>
      <source>Open the folder</source>
      <translation>Ordner öffnen</translation>
    </message>
    <message>
      <source>Questions and answers are kept as conversations. Delete or archive them in their list.</source>
      <translation>Fragen und Antworten bleiben als Gespräche erhalten. Löschen oder archivieren Sie sie in deren Liste.</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <source>What is remembered</source>
      <translation>Was gemerkt wird</translation>
    </message>
    <message>
      <source>What leaves this computer</source>
      <translation>Was diesen Computer verlässt</translation>
    </message>
    <message>
      <source>What may be sent</source>
      <translation>Was gesendet werden darf</translation>
    </message>
    <message>
      <source>What was sent…</source>
      <translation>Was gesendet wurde…</translation>
    </message>
    <message>
      <source>{0}: asked for a newer version when you choose “Check for updates”. It learns no more.</source>
      <translation>{0}: wird nach einer neueren Version gefragt, wenn Sie „Nach Aktualisierungen suchen“ wählen. Mehr erfährt es nicht.</translation>
    </message>
    <message>
      <source>{0}: in use. It receives your questions and the passages that are read to answer them.</source>
      <translation>{0}: in Benutzung. Erhält Ihre Fragen und die Stellen, die zu ihrer Beantwortung gelesen werden.</translation>
    </message>
    <message>
      <source>{0}: set up, not in use. It receives nothing until you choose it.</source>
      <translation>{0}: eingerichtet, nicht in Benutzung. Erhält nichts, bis Sie es wählen.</translation>
    </message>
    <message>
      <source>{0}: settings, indexes, conversations and logs. Your documents are elsewhere.</source>
      <translation>{0}: Einstellungen, Indexe, Gespräche und Protokolle. Ihre Dokumente liegen anderswo.</translation>
    </message>
    <message>
      <source>{0}: this computer. Nothing leaves it.</source>
      <translation>{0}: dieser Computer. Nichts verlässt ihn.</translation>
    </message>
  </context>
  <context>
    <name>PrivacyRules</name>
    <message>
      <source>Ask again</source>
      <translation>Wieder fragen</translation>
    </message>
    <message>
      <source>Documents with these tags are never sent either, one tag per line</source>
      <translation>Dokumente mit diesen Schlagwörtern werden auch nie gesendet, eines pro Zeile</translation>
    </message>
    <message>
      <source>Mask passwords, keys, card and account numbers</source>
      <translation>Passwörter, Schlüssel und Kontonummern verdecken</translation>
    </message>
    <message>
      <source>Never send</source>
      <translation>Nie senden</translation>
    </message>
    <message>
      <source>The answer shows them again, on this computer only</source>
      <translation>Die Antwort zeigt sie wieder, nur auf diesem Computer</translation>
    </message>
    <message>
      <source>Words that are masked in what is sent, one per line</source>
      <translation>Wörter, die im Gesendeten verdeckt werden, eines je Zeile</translation>
    </message>
    <message>
      <source>Work offline: connect to nothing but this computer</source>
      <translation>Offline arbeiten: nur mit diesem Computer verbinden</translation>
    </message>
    <message>
      <source>You can search these files and folders, and the built-in model can quote them. No other model gets their text, names or titles.</source>
      <translation>Sie können diese Dateien und Ordner durchsuchen, und das eingebaute Modell kann sie zitieren. Kein anderes Modell erhält ihre Texte, Namen oder Titel.</translation>
    </message>
    <message>
      <source>You have allowed sending to</source>
      <translation>Sie haben das Senden erlaubt an</translation>
    </message>
  </context>
  <context>
    <name>ProbeReport</name>
    <message>
      <source>Stop testing</source>
      <translation>Test anhalten</translation>
    </message>
    <message>
      <source>Test connection</source>
      <translation>Verbindung testen</translation>
    </message>
    <message>
      <source>Testing the connection…</source>
      <translation>Verbindung wird geprüft …</translation>
    </message>
    <message numerus="yes">
      <source>Use %Ln token(s)</source>
      <translation>
        <numerusform>%Ln Token verwenden</numerusform>
        <numerusform>%Ln Token verwenden</numerusform>
      </translation>
    </message>
    <message>
      <source>What can it do?</source>
      <translation>Was kann es?</translation>
    </message>
  </context>
  <context>
    <name>ProblemCard</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>For example: {0}</source>
      <translation>Zum Beispiel: {0}</translation>
    </message>
    <message>
      <source>Ignore all</source>
      <translation>Alle ignorieren</translation>
    </message>
    <message>
      <source>Leave these files out by rules of their folders; you can undo it</source>
      <translation>Diese Dateien durch Regeln ihrer Ordner auslassen; das lässt sich rückgängig machen</translation>
    </message>
    <message>
      <source>Show files</source>
      <translation>Dateien zeigen</translation>
    </message>
    <message>
      <source>Try all again</source>
      <translation>Alle erneut versuchen</translation>
    </message>
  </context>
  <context>
    <name>ProblemGroups</name>
    <message>
      <source>No problems: every file could be read.</source>
      <translation>Keine Probleme: jede Datei konnte gelesen werden.</translation>
    </message>
    <message>
      <source>Problems by reason</source>
      <translation>Probleme nach Grund</translation>
    </message>
  </context>
  <context>
    <name>ProfileEditor</name>
    <message>
      <source> minutes</source>
      <translation> Minuten</translation>
    </message>
    <message>
      <source> tokens</source>
      <translation> Token</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>Kontextfenster</translation>
    </message>
    <message>
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <source>Key</source>
      <translation>Schlüssel</translation>
    </message>
    <message>
      <source>Keys are made at {0}. {1}</source>
      <translation>Schlüssel gibt es unter {0}. {1}</translation>
    </message>
    <message>
      <source>Leaves the memory after</source>
      <translation>Verlässt den Speicher nach</translation>
    </message>
    <message>
      <source>Longest answer</source>
      <translation>Längste Antwort</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>Never</source>
      <translation>Nie</translation>
    </message>
    <message>
      <source>Only if it asks for one</source>
      <translation>Nur wenn danach gefragt wird</translation>
    </message>
    <message>
      <source>Stored in this computer's keychain, never in a file.</source>
      <translation>Liegt im Schlüsselbund dieses Computers, nie in einer Datei.</translation>
    </message>
    <message>
      <source>Stored; type to replace it</source>
      <translation>Gespeichert; zum Ersetzen tippen</translation>
    </message>
    <message>
      <source>The model is loaded with the first question and runs in a process of its own, which ends with the program. Nothing leaves this computer. A larger context needs more memory; what does not fit is made smaller.</source>
      <translation>Das Modell wird mit der ersten Frage geladen und läuft in einem eigenen Prozess, der mit dem Programm endet. Nichts verlässt diesen Computer. Ein größerer Kontext braucht mehr Speicher; was nicht passt, wird verkleinert.</translation>
    </message>
  </context>
  <context>
    <name>ProfilesPage</name>
    <message>
      <source>Built-in – quotes your documents, no language model</source>
      <translation>Eingebaut – zitiert Ihre Dokumente, kein Sprachmodell</translation>
    </message>
    <message>
      <source>Connect a model</source>
      <translation>Modell verbinden</translation>
    </message>
    <message>
      <source>Duplicate</source>
      <translation>Verdoppeln</translation>
    </message>
    <message>
      <source>Give this model a name.</source>
      <translation>Geben Sie diesem Modell einen Namen.</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modelle</translation>
    </message>
    <message>
      <source>No name yet</source>
      <translation>Noch ohne Namen</translation>
    </message>
    <message>
      <source>Questions are answered by</source>
      <translation>Fragen beantwortet</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>The address must begin with http:// or https://.</source>
      <translation>Die Adresse muss mit http:// oder https:// beginnen.</translation>
    </message>
    <message>
      <source>Two models are called “{0}”. Names must differ.</source>
      <translation>Zwei Modelle heißen „{0}“. Die Namen müssen sich unterscheiden.</translation>
    </message>
  </context>
  <context>
    <name>ProgramChangeDialog</name>
    <message>
      <source>Add to {0}</source>
      <translation>Zu {0} hinzufügen</translation>
    </message>
    <message>
      <source>Change its settings</source>
      <translation>Einstellungen ändern</translation>
    </message>
    <message>
      <source>Lines that change</source>
      <translation>Zeilen, die sich ändern</translation>
    </message>
    <message>
      <source>Remove from {0}</source>
      <translation>Aus {0} entfernen</translation>
    </message>
    <message>
      <source>These lines of {0} change; all others stay as they are. To undo it, come back to this page.</source>
      <translation>Diese Zeilen von {0} ändern sich; alle anderen bleiben, wie sie sind. Um es rückgängig zu machen, kommen Sie auf diese Seite zurück.</translation>
    </message>
  </context>
  <context>
    <name>ProgramsControl</name>
    <message>
      <source>The settings of {0} are changed. They count from its next start.</source>
      <translation>Die Einstellungen von {0} sind geändert. Sie gelten ab dem nächsten Start des Programms.</translation>
    </message>
  </context>
  <context>
    <name>ProgramsPage</name>
    <message>
      <source>Add anyway…</source>
      <translation>Trotzdem hinzufügen…</translation>
    </message>
    <message>
      <source>Added</source>
      <translation>Hinzugefügt</translation>
    </message>
    <message>
      <source>Add…</source>
      <translation>Hinzufügen…</translation>
    </message>
    <message>
      <source>Any other program</source>
      <translation>Jedes andere Programm</translation>
    </message>
    <message>
      <source>Command of the server</source>
      <translation>Befehl des Servers</translation>
    </message>
    <message>
      <source>Copied</source>
      <translation>Kopiert</translation>
    </message>
    <message>
      <source>Copy the command</source>
      <translation>Befehl kopieren</translation>
    </message>
    <message>
      <source>Desktop RAG sends nothing. But a program that you add passes on what it reads to its own model, which may run on other computers. Add only programs that you would show these documents to.</source>
      <translation>Desktop RAG sendet nichts. Aber ein Programm, das Sie hinzufügen, gibt das Gelesene an sein eigenes Modell weiter, das auf anderen Computern laufen kann. Fügen Sie nur Programme hinzu, denen Sie diese Dokumente zeigen würden.</translation>
    </message>
    <message>
      <source>Not found on this computer</source>
      <translation>Auf diesem Computer nicht gefunden</translation>
    </message>
    <message>
      <source>Programs with the Model Context Protocol (MCP) start the library's server with this command:</source>
      <translation>Programme mit dem Model Context Protocol (MCP) starten den Server der Bibliothek mit diesem Befehl:</translation>
    </message>
    <message>
      <source>Remove…</source>
      <translation>Entfernen…</translation>
    </message>
    <message>
      <source>These programs can search and read your documents, cite their lines, and have their answers checked against them. They find the library where it is; nothing is copied.</source>
      <translation>Diese Programme können Ihre Dokumente durchsuchen und lesen, Zeilen daraus zitieren und ihre Antworten damit vergleichen lassen. Die Bibliothek bleibt, wo sie ist; nichts wird kopiert.</translation>
    </message>
    <message>
      <source>Use the library in other programs</source>
      <translation>Die Bibliothek in anderen Programmen verwenden</translation>
    </message>
    <message>
      <source>What leaves this computer</source>
      <translation>Was diesen Computer verlässt</translation>
    </message>
  </context>
  <context>
    <name>QShortcut</name>
    <message>
      <source>Return</source>
      <translation>Eingabe</translation>
    </message>
  </context>
  <context>
    <name>QueryRow</name>
    <message>
      <source>Best</source>
      <translation>Am besten</translation>
    </message>
    <message>
      <source>Best, a little slower</source>
      <translation>Am besten, etwas langsamer</translation>
    </message>
    <message>
      <source>Delete a saved search</source>
      <translation>Gespeicherte Suche löschen</translation>
    </message>
    <message>
      <source>Exact letters</source>
      <translation>Genaue Buchstaben</translation>
    </message>
    <message>
      <source>How to ask</source>
      <translation>Wie man fragt</translation>
    </message>
    <message>
      <source>Letters</source>
      <translation>Buchstaben</translation>
    </message>
    <message>
      <source>Meaning</source>
      <translation>Bedeutung</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>Zuletzt</translation>
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation>Letzte und gespeicherte Suchen</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Save this search</source>
      <translation>Diese Suche speichern</translation>
    </message>
    <message>
      <source>Save this search…</source>
      <translation>Diese Suche speichern…</translation>
    </message>
    <message>
      <source>Saved</source>
      <translation>Gespeichert</translation>
    </message>
    <message>
      <source>Search your documents</source>
      <translation>Ihre Dokumente durchsuchen</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>Wörter</translation>
    </message>
    <message>
      <source>Words and meaning</source>
      <translation>Wörter und Bedeutung</translation>
    </message>
    <message>
      <source>Words, meaning</source>
      <translation>Wörter, Bedeutung</translation>
    </message>
  </context>
  <context>
    <name>QuestionBubble</name>
    <message>
      <source>Edit the question and ask again</source>
      <translation>Frage ändern und noch einmal fragen</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>… The first {0} of {1} characters; the pencil shows all.</source>
      <translation>… Die ersten {0} von {1} Zeichen; der Stift zeigt alle.</translation>
    </message>
  </context>
  <context>
    <name>QuestionEditor</name>
    <message>
      <source>Ask</source>
      <translation>Fragen</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
  </context>
  <context>
    <name>QuestionField</name>
    <message>
      <source>Enter sends, Shift+Enter starts a new line</source>
      <translation>Eingabetaste sendet, Umschalt+Eingabetaste beginnt eine neue Zeile</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
  </context>
  <context>
    <name>RecentMenu</name>
    <message>
      <source>Clear the list</source>
      <translation>Liste leeren</translation>
    </message>
    <message>
      <source>{0} (no longer there)</source>
      <translation>{0} (nicht mehr da)</translation>
    </message>
  </context>
  <context>
    <name>RemarkList</name>
    <message>
      <source>Against it</source>
      <translation>Dagegen</translation>
    </message>
    <message>
      <source>For it</source>
      <translation>Dafür</translation>
    </message>
    <message>
      <source>What is known about this file</source>
      <translation>Was über diese Datei bekannt ist</translation>
    </message>
  </context>
  <context>
    <name>RenderedView</name>
    <message>
      <source>Copy link</source>
      <translation>Link kopieren</translation>
    </message>
    <message>
      <source>Document as a page</source>
      <translation>Dokument als Seite</translation>
    </message>
    <message>
      <source>Open in browser</source>
      <translation>Im Browser öffnen</translation>
    </message>
    <message>
      <source>The target of this link was not found in the document.</source>
      <translation>Das Ziel dieses Links wurde im Dokument nicht gefunden.</translation>
    </message>
    <message>
      <source>This link points outside the document: {0}</source>
      <translation>Dieser Link führt aus dem Dokument hinaus: {0}</translation>
    </message>
  </context>
  <context>
    <name>ReportControl</name>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete the report?</source>
      <translation>Den Bericht löschen?</translation>
    </message>
    <message>
      <source>Export the report</source>
      <translation>Bericht exportieren</translation>
    </message>
    <message>
      <source>Report saved to {0}</source>
      <translation>Bericht gespeichert als {0}</translation>
    </message>
    <message>
      <source>“{0}” is deleted with its text. The documents stay.</source>
      <translation>„{0}“ wird mit dem Text gelöscht. Die Dokumente bleiben.</translation>
    </message>
  </context>
  <context>
    <name>ReportDialog</name>
    <message>
      <source>Change</source>
      <translation>Ändern</translation>
    </message>
    <message>
      <source>Change the outline</source>
      <translation>Gliederung ändern</translation>
    </message>
    <message>
      <source>Make the report</source>
      <translation>Bericht anlegen</translation>
    </message>
    <message>
      <source>New report</source>
      <translation>Neuer Bericht</translation>
    </message>
    <message>
      <source>One section a line, as “Heading: question”. Empty: it is proposed.</source>
      <translation>Je Zeile ein Abschnitt: „Überschrift: Frage“. Leer: Es wird eine Gliederung vorgeschlagen.</translation>
    </message>
    <message>
      <source>Outline</source>
      <translation>Gliederung</translation>
    </message>
    <message>
      <source>Propose an outline</source>
      <translation>Gliederung vorschlagen</translation>
    </message>
    <message>
      <source>Propose another outline</source>
      <translation>Andere Gliederung vorschlagen</translation>
    </message>
    <message>
      <source>Proposing…</source>
      <translation>Wird vorgeschlagen…</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>What is the report about?</source>
      <translation>Wovon handelt der Bericht?</translation>
    </message>
  </context>
  <context>
    <name>ReportPage</name>
    <message>
      <source>A report from your documents</source>
      <translation>Ein Bericht aus Ihren Dokumenten</translation>
    </message>
    <message>
      <source>An outline that you can change, then section by section, each sentence proven by its line.</source>
      <translation>Eine Gliederung, die Sie ändern können, dann Abschnitt für Abschnitt, jeder Satz mit der Zeile, die ihn belegt.</translation>
    </message>
    <message>
      <source>Change the outline…</source>
      <translation>Gliederung ändern…</translation>
    </message>
    <message>
      <source>Delete the report…</source>
      <translation>Bericht löschen…</translation>
    </message>
    <message>
      <source>Export: {0}…</source>
      <translation>Exportieren: {0}…</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>New report…</source>
      <translation>Neuer Bericht…</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Reports</source>
      <translation>Berichte</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>Schreiben</translation>
    </message>
    <message>
      <source>{0} of {1} sections</source>
      <translation>{0} von {1} Abschnitten</translation>
    </message>
  </context>
  <context>
    <name>ReserveSlider</name>
    <message>
      <source>Boundary between evidence and answer</source>
      <translation>Grenze zwischen Belegen und Antwort</translation>
    </message>
    <message>
      <source>{tokens} are kept for the answer; drag, or use the arrow keys</source>
      <translation>{tokens} sind für die Antwort frei; ziehen, oder Pfeiltasten</translation>
    </message>
  </context>
  <context>
    <name>RestrictionChip</name>
    <message>
      <source>Only in {0}; remove it</source>
      <translation>Nur in {0}; entfernen</translation>
    </message>
    <message>
      <source>Remove {0}</source>
      <translation>{0} entfernen</translation>
    </message>
  </context>
  <context>
    <name>ResultRows</name>
    <message>
      <source>found by its name</source>
      <translation>über seinen Namen gefunden</translation>
    </message>
  </context>
  <context>
    <name>ResultSummary</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumenten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln file(s) by name</source>
      <translation>
        <numerusform>%Ln Datei nach Namen</numerusform>
        <numerusform>%Ln Dateien nach Namen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln Stelle</numerusform>
        <numerusform>%Ln Stellen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln similar passage(s)</source>
      <translation>
        <numerusform>%Ln ähnliche Stelle</numerusform>
        <numerusform>%Ln ähnliche Stellen</numerusform>
      </translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>Nichts gefunden</translation>
    </message>
    <message>
      <source>Nothing found with the filter {0}</source>
      <translation>Nichts gefunden mit dem Filter {0}</translation>
    </message>
    <message numerus="yes">
      <source>The best %Ln passage(s)</source>
      <translation>
        <numerusform>Die beste Stelle</numerusform>
        <numerusform>Die besten %Ln Stellen</numerusform>
      </translation>
    </message>
    <message>
      <source>about {0}</source>
      <translation>etwa {0}</translation>
    </message>
    <message>
      <source>meaning search covers {0} % so far</source>
      <translation>die Suche nach Bedeutung umfasst bisher {0} %</translation>
    </message>
    <message>
      <source>your words look {0}, most of your documents are {1}</source>
      <translation>Ihre Wörter sehen nach {0} aus, die meisten Ihrer Dokumente sind auf {1}</translation>
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation>{0} in {1}</translation>
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation>{0} von {1}</translation>
    </message>
  </context>
  <context>
    <name>ResultsList</name>
    <message>
      <source>Copy link</source>
      <translation>Link kopieren</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>Zitat mit Quelle kopieren</translation>
    </message>
    <message>
      <source>Found passages</source>
      <translation>Gefundene Stellen</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Open in default application</source>
      <translation>Mit dem Standardprogramm öffnen</translation>
    </message>
    <message>
      <source>Related passages</source>
      <translation>Verwandte Stellen</translation>
    </message>
    <message>
      <source>Show all passages of the document</source>
      <translation>Alle Stellen des Dokuments zeigen</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>Show its best passages only</source>
      <translation>Nur seine besten Stellen zeigen</translation>
    </message>
    <message>
      <source>Why is this found?</source>
      <translation>Warum wurde das gefunden?</translation>
    </message>
  </context>
  <context>
    <name>ResultsModel</name>
    <message numerus="yes">
      <source>%Ln more in this document</source>
      <translation>
        <numerusform>%Ln weitere in diesem Dokument</numerusform>
        <numerusform>%Ln weitere in diesem Dokument</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s)</source>
      <translation>
        <numerusform>%Ln Stelle</numerusform>
        <numerusform>%Ln Stellen</numerusform>
      </translation>
    </message>
    <message>
      <source>Because of its tag “{0}”</source>
      <translation>Wegen des Schlagworts „{0}“</translation>
    </message>
    <message>
      <source>Because of where it lies</source>
      <translation>Wegen des Ortes, an dem es liegt</translation>
    </message>
    <message>
      <source>Files without text, found by name</source>
      <translation>Dateien ohne Text, nach Namen gefunden</translation>
    </message>
    <message>
      <source>Never sent: found and read here, but no model gets its text or its name</source>
      <translation>Nie gesendet: Wird hier gefunden und gelesen, aber kein Modell bekommt Text oder Namen</translation>
    </message>
    <message>
      <source>Rank {0} by meaning</source>
      <translation>Rang {0} nach Bedeutung</translation>
    </message>
    <message>
      <source>Rank {0} by words</source>
      <translation>Rang {0} nach Wörtern</translation>
    </message>
    <message>
      <source>Rank {0} in this search</source>
      <translation>Rang {0} in dieser Suche</translation>
    </message>
    <message>
      <source>Show more</source>
      <translation>Mehr zeigen</translation>
    </message>
    <message>
      <source>Show the best {0} only</source>
      <translation>Nur die besten {0} zeigen</translation>
    </message>
    <message>
      <source>Similar passages that do not fulfil your query</source>
      <translation>Ähnliche Stellen, die Ihre Suchanfrage nicht erfüllen</translation>
    </message>
    <message>
      <source>Similar passages without your words</source>
      <translation>Ähnliche Stellen ohne Ihre Wörter</translation>
    </message>
    <message numerus="yes">
      <source>The next %Ln in this document</source>
      <translation>
        <numerusform>Die nächste in diesem Dokument</numerusform>
        <numerusform>Die nächsten %Ln in diesem Dokument</numerusform>
      </translation>
    </message>
    <message>
      <source>also in 1 other file</source>
      <translation>auch in 1 weiteren Datei</translation>
    </message>
    <message>
      <source>also in {0} other files</source>
      <translation>auch in {0} weiteren Dateien</translation>
    </message>
    <message>
      <source>and {0} more</source>
      <translation>und {0} weitere</translation>
    </message>
    <message>
      <source>never sent</source>
      <translation>nie gesendet</translation>
    </message>
    <message>
      <source>no text</source>
      <translation>kein Text</translation>
    </message>
  </context>
  <context>
    <name>RunActions</name>
    <message>
      <source>There is no other run to compare with. Ask the question again first.</source>
      <translation>Es gibt keinen anderen Lauf zum Vergleichen. Stellen Sie die Frage zuerst noch einmal.</translation>
    </message>
  </context>
  <context>
    <name>RunFeedback</name>
    <message>
      <source>Pauses at the next word of the model, or before its next step.</source>
      <translation>Hält beim nächsten Wort des Modells oder vor seinem nächsten Schritt an.</translation>
    </message>
    <message>
      <source>The model reads this before its next step.</source>
      <translation>Das Modell liest das vor seinem nächsten Schritt.</translation>
    </message>
    <message>
      <source>The run ended before the model read your note. It is in the question field.</source>
      <translation>Die Antwort war fertig, bevor das Modell Ihre Notiz las. Sie steht im Fragefeld.</translation>
    </message>
    <message>
      <source>The run may take more steps.</source>
      <translation>Der Lauf darf mehr Schritte machen.</translation>
    </message>
    <message>
      <source>This takes effect before the next step.</source>
      <translation>Das gilt ab dem nächsten Schritt.</translation>
    </message>
  </context>
  <context>
    <name>RunPool</name>
    <message>
      <source>Something went wrong</source>
      <translation>Etwas ist schiefgegangen</translation>
    </message>
  </context>
  <context>
    <name>ScansDialog</name>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>It is detected within a minute or two, and then reads the waiting pages in the background, at some seconds of processor time a page. You do not need to add anything again.</source>
      <translation>Es wird innerhalb von ein bis zwei Minuten bemerkt und liest dann die wartenden Seiten im Hintergrund; jede kostet einige Sekunden Prozessorzeit. Sie müssen nichts erneut hinzufügen.</translation>
    </message>
    <message>
      <source>Text in scans and pictures</source>
      <translation>Text in Scans und Bildern</translation>
    </message>
    <message>
      <source>The package is mostly called tesseract-ocr; each language has one of its own.</source>
      <translation>Das Paket heißt meist tesseract-ocr; jede Sprache hat ein eigenes.</translation>
    </message>
    <message>
      <source>They are read by Tesseract, a free program that runs only on this computer. Install it:</source>
      <translation>Sie werden von Tesseract gelesen, einem freien Programm, das nur auf diesem Computer läuft. So installieren Sie es:</translation>
    </message>
  </context>
  <context>
    <name>ScopePicker</name>
    <message>
      <source>Limit the question to</source>
      <translation>Die Frage beschränken auf</translation>
    </message>
  </context>
  <context>
    <name>ScopeRow</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>+%Ln more</source>
      <translation>
        <numerusform>+%Ln weitere</numerusform>
        <numerusform>+%Ln weitere</numerusform>
      </translation>
    </message>
    <message>
      <source>Folders to search</source>
      <translation>Zu durchsuchende Ordner</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Search only this folder</source>
      <translation>Nur diesen Ordner durchsuchen</translation>
    </message>
    <message>
      <source>Search the whole library</source>
      <translation>Die ganze Bibliothek durchsuchen</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more folder(s)</source>
      <translation>
        <numerusform>%Ln weiteren Ordner zeigen</numerusform>
        <numerusform>%Ln weitere Ordner zeigen</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SearchHelp</name>
    <message>
      <source>How to ask</source>
      <translation>Wie man fragt</translation>
    </message>
    <message>
      <source>Type words or a question. Or be exact:</source>
      <translation>Geben Sie Wörter oder eine Frage ein. Oder genau:</translation>
    </message>
    <message>
      <source>also in the names of files</source>
      <translation>auch in Dateinamen</translation>
    </message>
    <message>
      <source>at most five words between them</source>
      <translation>höchstens fünf Wörter dazwischen</translation>
    </message>
    <message>
      <source>between; also 2024, 2024-03-15, &gt;2023</source>
      <translation>dazwischen; auch 2024, 2024-03-15, &gt;2023</translation>
    </message>
    <message>
      <source>both, also OR and NOT, with brackets</source>
      <translation>beides, auch OR und NOT, mit Klammern</translation>
    </message>
    <message>
      <source>brackets group terms</source>
      <translation>Klammern fassen zusammen</translation>
    </message>
    <message>
      <source>by this author</source>
      <translation>von diesem Autor</translation>
    </message>
    <message>
      <source>exactly this spelling and capitals</source>
      <translation>genau diese Schreibung, auch groß und klein</translation>
    </message>
    <message>
      <source>in a question the phrase only ranks higher</source>
      <translation>in einer Frage rückt die Wortfolge nur nach oben</translation>
    </message>
    <message>
      <source>in the title; content: in the text</source>
      <translation>im Titel; content: im Text</translation>
    </message>
    <message>
      <source>in this language</source>
      <translation>in dieser Sprache</translation>
    </message>
    <message>
      <source>mails from her with this subject; also to: and cc:</source>
      <translation>Mails von ihr mit diesem Betreff; auch to: und cc:</translation>
    </message>
    <message>
      <source>mails sent in that time</source>
      <translation>in dieser Zeit gesendete Mails</translation>
    </message>
    <message>
      <source>one letter may differ, with ~2 two</source>
      <translation>ein Buchstabe darf abweichen, mit ~2 zwei</translation>
    </message>
    <message>
      <source>only in the names of files</source>
      <translation>nur in Dateinamen</translation>
    </message>
    <message>
      <source>only in these files; path: matches any folder</source>
      <translation>nur in diesen Dateien; path: passt auf jeden Ordner</translation>
    </message>
    <message>
      <source>the file was changed then</source>
      <translation>die Datei wurde dann geändert</translation>
    </message>
    <message>
      <source>the first counts three times</source>
      <translation>das erste zählt dreifach</translation>
    </message>
    <message>
      <source>the first is required, the second optional</source>
      <translation>das erste muss vorkommen, das zweite kann</translation>
    </message>
    <message>
      <source>the first, without the second</source>
      <translation>das erste, ohne das zweite</translation>
    </message>
    <message>
      <source>this exact phrase</source>
      <translation>genau diese Wortfolge</translation>
    </message>
    <message>
      <source>whole or in part, like jo@example.org and 1,234.50</source>
      <translation>ganz oder teilweise, wie jo@example.org und 1,234.50</translation>
    </message>
    <message>
      <source>with this tag: #travel in a note, a keyword, a label of a mail</source>
      <translation>mit diesem Schlagwort: #reise in einer Notiz, Stichwort einer Datei, Label einer Mail</translation>
    </message>
    <message>
      <source>words with this beginning; ? is one letter</source>
      <translation>Wörter mit diesem Anfang; ? ist ein Buchstabe</translation>
    </message>
    <message>
      <source>written, taken or sent then; also today, this month, last 3 months</source>
      <translation>dann geschrieben, aufgenommen oder gesendet; auch today, this month, last 3 months</translation>
    </message>
  </context>
  <context>
    <name>SearchNameDialog</name>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
  </context>
  <context>
    <name>SearchPage</name>
    <message>
      <source>Accept the suggestion</source>
      <translation>Vorschlag annehmen</translation>
    </message>
    <message>
      <source>Ask about these</source>
      <translation>Dazu fragen</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>Zurück zum Gespräch (Esc)</translation>
    </message>
    <message>
      <source>Back to the results</source>
      <translation>Zurück zu den Ergebnissen</translation>
    </message>
    <message>
      <source>Did you mean: {0}</source>
      <translation>Meinten Sie: {0}</translation>
    </message>
    <message>
      <source>Go to the results</source>
      <translation>Zu den Ergebnissen</translation>
    </message>
    <message>
      <source>How to ask</source>
      <translation>Wie man fragt</translation>
    </message>
    <message>
      <source>In the search</source>
      <translation>In der Suche</translation>
    </message>
    <message>
      <source>Narrow down</source>
      <translation>Eingrenzen</translation>
    </message>
    <message>
      <source>New report over these documents…</source>
      <translation>Neuer Bericht über diese Dokumente…</translation>
    </message>
    <message>
      <source>New table over these documents…</source>
      <translation>Neue Tabelle über diese Dokumente…</translation>
    </message>
    <message>
      <source>Next part: query, filters, passages</source>
      <translation>Nächster Teil: Suche, Filter, Stellen</translation>
    </message>
    <message>
      <source>Next passage</source>
      <translation>Nächste Stelle</translation>
    </message>
    <message>
      <source>No passage is selected</source>
      <translation>Keine Stelle ist ausgewählt</translation>
    </message>
    <message>
      <source>No related passages</source>
      <translation>Keine verwandten Stellen</translation>
    </message>
    <message>
      <source>On a selected passage</source>
      <translation>Für eine ausgewählte Stelle</translation>
    </message>
    <message>
      <source>Open the search first</source>
      <translation>Öffnen Sie zuerst die Suche</translation>
    </message>
    <message>
      <source>Previous part</source>
      <translation>Voriger Teil</translation>
    </message>
    <message>
      <source>Previous passage</source>
      <translation>Vorige Stelle</translation>
    </message>
    <message>
      <source>Recent and saved searches</source>
      <translation>Letzte und gespeicherte Suchen</translation>
    </message>
    <message>
      <source>Related to “{0}”, {1}</source>
      <translation>Verwandt mit „{0}“, {1}</translation>
    </message>
    <message>
      <source>Remove the filter {0}</source>
      <translation>Filter {0} entfernen</translation>
    </message>
    <message>
      <source>Save this search</source>
      <translation>Diese Suche speichern</translation>
    </message>
    <message>
      <source>Search at once</source>
      <translation>Sofort suchen</translation>
    </message>
    <message>
      <source>Search for this instead</source>
      <translation>Stattdessen danach suchen</translation>
    </message>
    <message>
      <source>Search for: {0}</source>
      <translation>Suchen nach: {0}</translation>
    </message>
    <message>
      <source>Searching…</source>
      <translation>Suche läuft…</translation>
    </message>
    <message>
      <source>Searching… The first search after a start takes longer.</source>
      <translation>Suche läuft… Die erste Suche nach einem Start dauert länger.</translation>
    </message>
    <message>
      <source>The search failed.</source>
      <translation>Die Suche ist fehlgeschlagen.</translation>
    </message>
    <message>
      <source>Try: {0}</source>
      <translation>Versuchen Sie: {0}</translation>
    </message>
    <message>
      <source>Why is a file missing?</source>
      <translation>Warum fehlt eine Datei?</translation>
    </message>
    <message>
      <source>below is what “{0}” found</source>
      <translation>unten steht, was „{0}“ gefunden hat</translation>
    </message>
  </context>
  <context>
    <name>SearchStart</name>
    <message>
      <source>Add a folder to search in it</source>
      <translation>Einen Ordner hinzufügen, um darin zu suchen</translation>
    </message>
    <message>
      <source>Be exact: phrases, AND, OR, NOT, names, dates …</source>
      <translation>Genau suchen: Wortfolgen, AND, OR, NOT, Namen, Daten …</translation>
    </message>
    <message>
      <source>Newest documents</source>
      <translation>Neueste Dokumente</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>Zuletzt geöffnete Dokumente</translation>
    </message>
    <message>
      <source>Recent searches</source>
      <translation>Letzte Suchen</translation>
    </message>
    <message>
      <source>Recent searches and documents</source>
      <translation>Letzte Suchen und Dokumente</translation>
    </message>
    <message>
      <source>Saved searches</source>
      <translation>Gespeicherte Suchen</translation>
    </message>
    <message>
      <source>Type words or a question. Results appear as you type.</source>
      <translation>Geben Sie Wörter oder eine Frage ein. Treffer erscheinen beim Tippen.</translation>
    </message>
  </context>
  <context>
    <name>SectionView</name>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Edit this section</source>
      <translation>Diesen Abschnitt bearbeiten</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Text of the section in Markdown</source>
      <translation>Text des Abschnitts in Markdown</translation>
    </message>
    <message>
      <source>Write this section again</source>
      <translation>Diesen Abschnitt neu schreiben</translation>
    </message>
    <message>
      <source>edited by you</source>
      <translation>von Ihnen bearbeitet</translation>
    </message>
    <message>
      <source>not written yet</source>
      <translation>noch nicht geschrieben</translation>
    </message>
  </context>
  <context>
    <name>SendButton</name>
    <message>
      <source>Send</source>
      <translation>Senden</translation>
    </message>
    <message>
      <source>Send (Enter)</source>
      <translation>Senden (Eingabetaste)</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Stop (Esc)</source>
      <translation>Anhalten (Esc)</translation>
    </message>
  </context>
  <context>
    <name>SentControl</name>
    <message>
      <source>Erase</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Erase the record of what was sent?</source>
      <translation>Die Aufzeichnung des Gesendeten löschen?</translation>
    </message>
    <message>
      <source>It is overwritten on the disk. This cannot be undone. What was sent stays sent.</source>
      <translation>Es wird auf dem Datenträger überschrieben. Das lässt sich nicht rückgängig machen. Was gesendet wurde, bleibt gesendet.</translation>
    </message>
  </context>
  <context>
    <name>SentDialog</name>
    <message numerus="yes">
      <source>%Ln row(s)</source>
      <translation>
        <numerusform>%Ln Eintrag</numerusform>
        <numerusform>%Ln Einträge</numerusform>
      </translation>
    </message>
    <message>
      <source>A folder, file, host or question</source>
      <translation>Ein Ordner, eine Datei, ein Server oder eine Frage</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>Dokument</translation>
    </message>
    <message>
      <source>Erase this record</source>
      <translation>Diese Aufzeichnung löschen</translation>
    </message>
    <message>
      <source>Export what was sent</source>
      <translation>Gesendetes exportieren</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>Exportieren…</translation>
    </message>
    <message>
      <source>Host</source>
      <translation>Server</translation>
    </message>
    <message>
      <source>Lines</source>
      <translation>Zeilen</translation>
    </message>
    <message>
      <source>Nothing like that was sent.</source>
      <translation>Nichts dergleichen wurde gesendet.</translation>
    </message>
    <message>
      <source>Nothing was sent.</source>
      <translation>Es wurde nichts gesendet.</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>Search what was sent</source>
      <translation>Gesendetes durchsuchen</translation>
    </message>
    <message>
      <source>The newest {0} are shown; the export has all.</source>
      <translation>Die neuesten {0} werden gezeigt; der Export enthält alle.</translation>
    </message>
    <message>
      <source>What was sent</source>
      <translation>Was gesendet wurde</translation>
    </message>
    <message>
      <source>When</source>
      <translation>Wann</translation>
    </message>
    <message>
      <source>no document</source>
      <translation>kein Dokument</translation>
    </message>
    <message>
      <source>not sent: no connection</source>
      <translation>nicht gesendet: keine Verbindung</translation>
    </message>
  </context>
  <context>
    <name>Sentences</name>
    <message>
      <source> This is {0}.</source>
      <translation> Das ist {0}.</translation>
    </message>
    <message>
      <source> and {0} more</source>
      <translation> und {0} weitere</translation>
    </message>
    <message>
      <source> or more</source>
      <translation> oder mehr</translation>
    </message>
    <message>
      <source>*No language model took part in this search.*</source>
      <translation>*An dieser Suche war kein Sprachmodell beteiligt.*</translation>
    </message>
    <message>
      <source>*No passage that answers the question was found.*</source>
      <translation>*Es wurde keine Stelle gefunden, die die Frage beantwortet.*</translation>
    </message>
    <message>
      <source>*Passages of your documents, word for word:*</source>
      <translation>*Stellen Ihrer Dokumente im Wortlaut:*</translation>
    </message>
    <message>
      <source>*Quoted from your documents. No language model wrote this.*</source>
      <translation>*Aus Ihren Dokumenten zitiert. Kein Sprachmodell hat dies geschrieben.*</translation>
    </message>
    <message>
      <source>*Quoted from your documents; the line on top follows from the quotations. No language model wrote this.*</source>
      <translation>*Aus Ihren Dokumenten zitiert; die Zeile darüber folgt aus den Zitaten. Kein Sprachmodell hat dies geschrieben.*</translation>
    </message>
    <message>
      <source>*The model did not answer this from your documents.*</source>
      <translation>*Das Modell hat dies nicht aus Ihren Dokumenten beantwortet.*</translation>
    </message>
    <message>
      <source>*The model named no source for this, so it is not proven.*</source>
      <translation>*Das Modell hat dafür keine Quelle genannt, es ist also nicht belegt.*</translation>
    </message>
    <message>
      <source>*The model named no source for this. It was shown this passage:*</source>
      <translation>*Das Modell hat dafür keine Quelle genannt. Ihm wurde diese Stelle gezeigt:*</translation>
    </message>
    <message>
      <source>*The model named no source. These passages say nearly the same:*</source>
      <translation>*Das Modell hat keine Quelle genannt. Diese Stellen sagen fast dasselbe:*</translation>
    </message>
    <message>
      <source>*The model wrote no answer. The passages it has read say:*</source>
      <translation>*Das Modell hat keine Antwort geschrieben. In den gelesenen Stellen steht:*</translation>
    </message>
    <message>
      <source>*The model wrote no answer; the built-in model found none in what was read.*</source>
      <translation>*Das Modell hat keine Antwort geschrieben; das eingebaute Modell hat im Gelesenen keine gefunden.*</translation>
    </message>
    <message>
      <source>*The sources that the model named lead to nothing that was read, so this is not proven.*</source>
      <translation>*Die Quellen, die das Modell genannt hat, führen zu nichts, was gelesen wurde; dies ist also nicht belegt.*</translation>
    </message>
    <message>
      <source>*This answer is from the model's memory; none of your documents was searched for it.*</source>
      <translation>*Diese Antwort stammt aus dem Gedächtnis des Modells; dafür wurde keines Ihrer Dokumente durchsucht.*</translation>
    </message>
    <message>
      <source>, counting those that the list omits</source>
      <translation>, auch die, die die Liste auslässt</translation>
    </message>
    <message>
      <source>, nor anywhere else in the library</source>
      <translation>, auch sonst nirgends in der Bibliothek</translation>
    </message>
    <message>
      <source>, with {0} passages</source>
      <translation>, mit {0} Stellen</translation>
    </message>
    <message>
      <source>.{0} files are not read yet</source>
      <translation>.{0}-Dateien werden noch nicht gelesen</translation>
    </message>
    <message>
      <source>1 aspect</source>
      <translation>1 Aspekt</translation>
    </message>
    <message>
      <source>1 document</source>
      <translation>1 Dokument</translation>
    </message>
    <message>
      <source>1 file</source>
      <translation>1 Datei</translation>
    </message>
    <message>
      <source>1 given passage</source>
      <translation>1 gegebene Stelle</translation>
    </message>
    <message>
      <source>1 item</source>
      <translation>1 Eintrag</translation>
    </message>
    <message>
      <source>1 line</source>
      <translation>1 Zeile</translation>
    </message>
    <message>
      <source>1 more of its passages ranks</source>
      <translation>1 weitere seiner Stellen steht</translation>
    </message>
    <message>
      <source>1 new file</source>
      <translation>1 neue Datei</translation>
    </message>
    <message>
      <source>1 page</source>
      <translation>1 Seite</translation>
    </message>
    <message>
      <source>1 page without text (a scan?)</source>
      <translation>1 Seite ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>1 passage</source>
      <translation>1 Stelle</translation>
    </message>
    <message>
      <source>1 passage read</source>
      <translation>1 Stelle gelesen</translation>
    </message>
    <message>
      <source>1 place</source>
      <translation>1 Ort</translation>
    </message>
    <message>
      <source>1 result</source>
      <translation>1 Ergebnis</translation>
    </message>
    <message>
      <source>1 statement</source>
      <translation>1 Aussage</translation>
    </message>
    <message>
      <source>1 step</source>
      <translation>1 Schritt</translation>
    </message>
    <message>
      <source>1 tool call</source>
      <translation>1 Werkzeugaufruf</translation>
    </message>
    <message>
      <source>= requires this very spelling; leave out the ~.</source>
      <translation>= verlangt genau diese Schreibung; lassen Sie das ~ weg.</translation>
    </message>
    <message>
      <source>A background process cannot be started ({0}).</source>
      <translation>Ein Hintergrundprozess lässt sich nicht starten ({0}).</translation>
    </message>
    <message>
      <source>A background process failed</source>
      <translation>Ein Hintergrundprozess ist fehlgeschlagen</translation>
    </message>
    <message>
      <source>A backslash at the end stands before nothing.</source>
      <translation>Ein umgekehrter Schrägstrich am Ende steht vor nichts.</translation>
    </message>
    <message>
      <source>A boost must be more than 0.</source>
      <translation>Eine Gewichtung muss größer als 0 sein.</translation>
    </message>
    <message>
      <source>A certificate needs https://. Change the address of the team library.</source>
      <translation>Ein Zertifikat braucht https://. Ändern Sie die Adresse der Team-Bibliothek.</translation>
    </message>
    <message>
      <source>A column has no question.</source>
      <translation>Eine Spalte hat keine Frage.</translation>
    </message>
    <message>
      <source>A copy of the team's library is missing, as when one of its servers is away; what is found is complete.</source>
      <translation>Eine Kopie der Team-Bibliothek fehlt, etwa weil einer ihrer Server ausgefallen ist; was gefunden wird, ist vollständig.</translation>
    </message>
    <message>
      <source>A disk of the team's server is full, so it refuses changes ({0}).</source>
      <translation>Eine Platte des Team-Servers ist voll, daher nimmt er keine Änderungen an ({0}).</translation>
    </message>
    <message>
      <source>A disk of the team's server is full, so it takes no changes; newer ones are missing.</source>
      <translation>Eine Festplatte des Team-Servers ist voll, er nimmt daher keine Änderungen an; neuere fehlen.</translation>
    </message>
    <message>
      <source>A document of this report was marked as never sent meanwhile. Write it again.</source>
      <translation>Ein Dokument dieses Berichts wurde inzwischen als nie zu senden markiert. Schreiben Sie ihn noch einmal.</translation>
    </message>
    <message>
      <source>A document of this table was marked as never sent meanwhile. Fill it again.</source>
      <translation>Ein Dokument dieser Tabelle wurde inzwischen als nie zu senden markiert. Füllen Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>A limit is reached</source>
      <translation>Eine Grenze ist erreicht</translation>
    </message>
    <message>
      <source>A part of the team's library did not answer, so passages may be missing. Try again in a moment.</source>
      <translation>Ein Teil der Team-Bibliothek hat nicht geantwortet, daher können Textstellen fehlen. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
      <source>A part of the team's library is not available now. Try again in a moment.</source>
      <translation>Ein Teil der Team-Bibliothek ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
      <source>A part of the team's library is not available: {0}</source>
      <translation>Ein Teil der Team-Bibliothek ist nicht erreichbar: {0}</translation>
    </message>
    <message>
      <source>A part of this file is damaged and was left out.</source>
      <translation>Ein Teil dieser Datei ist beschädigt und wurde weggelassen.</translation>
    </message>
    <message>
      <source>A password is sent over https:// only. Change the address of the team library.</source>
      <translation>Ein Passwort wird nur über https:// gesendet. Ändern Sie die Adresse der Team-Bibliothek.</translation>
    </message>
    <message>
      <source>A password needs the name of its user. Write both, or neither.</source>
      <translation>Zu einem Passwort gehört der Name des Benutzers. Geben Sie beides an oder keines von beiden.</translation>
    </message>
    <message>
      <source>A prompt of {0} tokens arrives whole.</source>
      <translation>Eine Anfrage von {0} Token kommt vollständig an.</translation>
    </message>
    <message>
      <source>A prompt of {0} tokens is refused, though the settings say {1}.</source>
      <translation>Eine Anfrage von {0} Token wird abgelehnt, obwohl in den Einstellungen {1} stehen.</translation>
    </message>
    <message>
      <source>A question has at most {0} characters: “{1}”.</source>
      <translation>Eine Frage hat höchstens {0} Zeichen: „{1}“.</translation>
    </message>
    <message>
      <source>A range is written [from TO to], with * for an open side.</source>
      <translation>Ein Bereich wird [von TO bis] geschrieben, mit * für eine offene Seite.</translation>
    </message>
    <message>
      <source>A range is written in square brackets: [from TO to].</source>
      <translation>Ein Bereich steht in eckigen Klammern: [von TO bis].</translation>
    </message>
    <message>
      <source>A sheet repeats a row too often; the rest of it was left out.</source>
      <translation>Ein Blatt wiederholt eine Zeile zu oft; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>A store of files needs the id of an access key. Write both, or neither.</source>
      <translation>Zu einem Dateispeicher gehört die Kennung eines Zugangsschlüssels. Geben Sie beide an oder keines.</translation>
    </message>
    <message>
      <source>A table needs at least one column: a question such as “Rent per month”.</source>
      <translation>Eine Tabelle braucht mindestens eine Spalte: eine Frage wie „Miete im Monat“.</translation>
    </message>
    <message>
      <source>A table of this file is damaged and was left out.</source>
      <translation>Eine Tabelle dieser Datei ist beschädigt und wurde ausgelassen.</translation>
    </message>
    <message>
      <source>A team library has no exact mode. Search for a phrase instead: "as it is written".</source>
      <translation>Eine Team-Bibliothek hat keine exakte Suche. Suchen Sie stattdessen nach einer Wortfolge: "wie sie geschrieben ist".</translation>
    </message>
    <message>
      <source>A text in the catalog is damaged. Run `desktop-rag check --repair`.</source>
      <translation>Ein Text im Katalog ist beschädigt. Führen Sie `desktop-rag check --repair` aus.</translation>
    </message>
    <message>
      <source>A word cannot begin with *.</source>
      <translation>Ein Wort kann nicht mit * beginnen.</translation>
    </message>
    <message>
      <source>Access databases are not read yet; export their tables as .csv or .xlsx</source>
      <translation>Access-Datenbanken werden noch nicht gelesen; exportieren Sie ihre Tabellen als .csv oder .xlsx</translation>
    </message>
    <message>
      <source>Adding up {0}</source>
      <translation>Rechnet {0} zusammen</translation>
    </message>
    <message>
      <source>Allowed to go on: {0} more {1}</source>
      <translation>Darf weitermachen: {0} weitere {1}</translation>
    </message>
    <message>
      <source>Allowed to spend more than the limit</source>
      <translation>Darf mehr als die Grenze ausgeben</translation>
    </message>
    <message>
      <source>Already done</source>
      <translation>Schon erledigt</translation>
    </message>
    <message>
      <source>Another encoder is being added. Start again when it is ready.</source>
      <translation>Gerade wird ein anderer Encoder hinzugefügt. Starten Sie erneut, wenn er fertig ist.</translation>
    </message>
    <message>
      <source>Another program changed the team's library at the same moment ({0}).</source>
      <translation>Ein anderes Programm hat die Team-Bibliothek im selben Moment geändert ({0}).</translation>
    </message>
    <message>
      <source>Another program is filling this table. What it finds is kept; look again when it is done.</source>
      <translation>Ein anderes Programm füllt diese Tabelle gerade. Was es findet, bleibt erhalten; sehen Sie nach, wenn es fertig ist.</translation>
    </message>
    <message>
      <source>Another program is writing the keyword index; close it and try again.</source>
      <translation>Ein anderes Programm schreibt den Wortindex; schließen Sie es und versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>Another program is writing this report. Look again when it is done.</source>
      <translation>Ein anderes Programm schreibt diesen Bericht gerade. Sehen Sie nach, wenn es fertig ist.</translation>
    </message>
    <message>
      <source>Another program works on this</source>
      <translation>Ein anderes Programm arbeitet daran</translation>
    </message>
    <message>
      <source>Another program writes “{0}” to this team library. Stop one of them, or give it another --name.</source>
      <translation>Ein anderes Programm schreibt „{0}“ in diese Team-Bibliothek. Beenden Sie eines davon, oder geben Sie ihm einen anderen --name.</translation>
    </message>
    <message>
      <source>Another store or access key needs its secret: give it, too.</source>
      <translation>Ein anderer Speicher oder Zugriffsschlüssel braucht sein Geheimnis: Geben Sie es mit an.</translation>
    </message>
    <message>
      <source>Another user or server needs its password or token: give it, too.</source>
      <translation>Ein anderer Benutzer oder Server braucht sein Passwort oder Token: Geben Sie es mit an.</translation>
    </message>
    <message>
      <source>Archives</source>
      <translation>Archive</translation>
    </message>
    <message>
      <source>Archives of this kind are read where libarchive is installed (package libarchive13); or unpack this one.</source>
      <translation>Archive dieser Art werden gelesen, wo libarchive installiert ist (Paket libarchive13); oder entpacken Sie dieses.</translation>
    </message>
    <message>
      <source>At most {0} letters of a word may differ.</source>
      <translation>Höchstens {0} Buchstaben eines Wortes dürfen abweichen.</translation>
    </message>
    <message>
      <source>By exact text</source>
      <translation>Nach genauem Text</translation>
    </message>
    <message>
      <source>By meaning</source>
      <translation>Nach Bedeutung</translation>
    </message>
    <message>
      <source>By words</source>
      <translation>Nach Wörtern</translation>
    </message>
    <message>
      <source>By words and meaning together</source>
      <translation>Nach Wörtern und Bedeutung zusammen</translation>
    </message>
    <message>
      <source>By words and meaning, re-ranked</source>
      <translation>Nach Wörtern und Bedeutung, neu geordnet</translation>
    </message>
    <message>
      <source>Calculating {0}</source>
      <translation>Berechnet {0}</translation>
    </message>
    <message>
      <source>Calling {0}</source>
      <translation>Ruft {0} auf</translation>
    </message>
    <message>
      <source>Cells of the sheet {0} that are far from the others were left out.</source>
      <translation>Zellen des Blatts {0}, die weit von den anderen entfernt sind, wurden weggelassen.</translation>
    </message>
    <message>
      <source>Check the proxy of this model, or of the system.</source>
      <translation>Prüfen Sie den Proxy dieses Modells oder des Systems.</translation>
    </message>
    <message>
      <source>Checked {0}. {1}.</source>
      <translation>{0} geprüft. {1}.</translation>
    </message>
    <message>
      <source>Choose a model that LM Studio marks as trained for tool use.</source>
      <translation>Wählen Sie ein Modell, das LM Studio als für Werkzeuge trainiert kennzeichnet.</translation>
    </message>
    <message>
      <source>Choose a model that supports tool calls, or start the server with tool calls enabled.</source>
      <translation>Wählen Sie ein Modell mit Werkzeugaufrufen, oder starten Sie den Server so, dass er sie zulässt.</translation>
    </message>
    <message>
      <source>Choose a model trained for tool calls, and start the server with its own template: llama-server -m MODEL.gguf --jinja -c 16384</source>
      <translation>Wählen Sie ein für Werkzeugaufrufe trainiertes Modell, und starten Sie den Server mit dessen eigener Vorlage: llama-server -m MODEL.gguf --jinja -c 16384</translation>
    </message>
    <message>
      <source>Choose a model trained for tool calls, and start the server with its parser, such as: vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes</source>
      <translation>Wählen Sie ein Modell, das für Werkzeugaufrufe trainiert ist, und starten Sie den Server mit dessen Parser, etwa: vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes</translation>
    </message>
    <message>
      <source>Choose a model whose capabilities (ollama show MODEL) include tools, such as: ollama pull qwen3:4b</source>
      <translation>Wählen Sie ein Modell, zu dessen Fähigkeiten (ollama show MODEL) „tools“ gehört, etwa: ollama pull qwen3:4b</translation>
    </message>
    <message>
      <source>Choose a model.</source>
      <translation>Wählen Sie ein Modell.</translation>
    </message>
    <message>
      <source>Comparing {0}</source>
      <translation>Vergleicht {0}</translation>
    </message>
    <message>
      <source>Context window</source>
      <translation>Kontextfenster</translation>
    </message>
    <message>
      <source>Converting needs the package onnx, which this build does not have. Convert on a computer with “pip install 'desktop-rag[encoders]'” and add the converted folder here, or add the model's ONNX file.</source>
      <translation>Zum Umwandeln wird das Paket onnx gebraucht, das diese Ausgabe nicht enthält. Wandeln Sie auf einem Computer mit „pip install 'desktop-rag[encoders]'“ um und fügen Sie hier den umgewandelten Ordner hinzu, oder fügen Sie die ONNX-Datei des Modells hinzu.</translation>
    </message>
    <message>
      <source>Converting the encoder ended unexpectedly: its files are damaged, or memory did not suffice.</source>
      <translation>Die Umwandlung des Encoders endete unerwartet: Seine Dateien sind beschädigt, oder der Speicher reichte nicht aus.</translation>
    </message>
    <message>
      <source>Databases</source>
      <translation>Datenbanken</translation>
    </message>
    <message>
      <source>Desktop RAG does not do what this link asks for. A link can open, search and ask.</source>
      <translation>Was dieser Link verlangt, kann Desktop RAG nicht. Ein Link kann öffnen, suchen und fragen.</translation>
    </message>
    <message>
      <source>Drawings</source>
      <translation>Zeichnungen</translation>
    </message>
    <message>
      <source>E-books</source>
      <translation>E-Books</translation>
    </message>
    <message>
      <source>E-mails</source>
      <translation>E-Mails</translation>
    </message>
    <message>
      <source>Ended after {0} seconds. What is not listed was not tried.</source>
      <translation>Nach {0} Sekunden beendet. Was nicht aufgeführt ist, wurde nicht probiert.</translation>
    </message>
    <message>
      <source>Everything required occurs in it, but no single passage matches the whole query.</source>
      <translation>Alles Verlangte kommt darin vor, aber keine einzelne Stelle erfüllt die ganze Suche.</translation>
    </message>
    <message>
      <source>Files are stored over https:// only. Change the address of the store.</source>
      <translation>Dateien werden nur über https:// gespeichert. Ändern Sie die Adresse des Speichers.</translation>
    </message>
    <message>
      <source>Files nested this deeply in other files are not read.</source>
      <translation>So tief in anderen Dateien verschachtelte Dateien werden nicht gelesen.</translation>
    </message>
    <message>
      <source>Files of Microsoft Works are not read yet; save them as .odt or .docx, such as with LibreOffice</source>
      <translation>Dateien von Microsoft Works werden noch nicht gelesen; speichern Sie sie als .odt oder .docx, etwa mit LibreOffice</translation>
    </message>
    <message>
      <source>Films</source>
      <translation>Filme</translation>
    </message>
    <message>
      <source>Fonts</source>
      <translation>Schriften</translation>
    </message>
    <message>
      <source>Found as {0}, which has the same text: place {1} of the list.</source>
      <translation>Gefunden als {0}, das denselben Text hat: Platz {1} der Liste.</translation>
    </message>
    <message>
      <source>Found: place {0} of the list{1}.</source>
      <translation>Gefunden: Platz {0} der Liste{1}.</translation>
    </message>
    <message>
      <source>Further down: {0}.</source>
      <translation>Weiter unten: {0}.</translation>
    </message>
    <message>
      <source>Give the words to look for.</source>
      <translation>Geben Sie die gesuchten Wörter an.</translation>
    </message>
    <message>
      <source>How much it reads at once is not reported; check its context window.</source>
      <translation>Wie viel es auf einmal liest, wird nicht genannt; prüfen Sie sein Kontextfenster.</translation>
    </message>
    <message>
      <source>I am not sure that this answers the question; these are the best hits:</source>
      <translation>Ob dies die Frage beantwortet, ist nicht sicher; dies sind die besten Treffer:</translation>
    </message>
    <message>
      <source>In the part of your library that you chose: {0}.</source>
      <translation>Im gewählten Teil Ihrer Bibliothek: {0}.</translation>
    </message>
    <message>
      <source>In your library: {0}.</source>
      <translation>In Ihrer Bibliothek: {0}.</translation>
    </message>
    <message>
      <source>Internal error: {0}</source>
      <translation>Interner Fehler: {0}</translation>
    </message>
    <message>
      <source>It asks to wait {0}.</source>
      <translation>Er bittet, {0} zu warten.</translation>
    </message>
    <message>
      <source>It can be found by its words and by meaning.</source>
      <translation>Sie ist über ihre Wörter und über die Bedeutung zu finden.</translation>
    </message>
    <message>
      <source>It can be found by its words.</source>
      <translation>Sie ist über ihre Wörter zu finden.</translation>
    </message>
    <message>
      <source>It cannot be looked at now: you have no permission to open its folder.</source>
      <translation>Sie kann gerade nicht angesehen werden: Sie dürfen ihren Ordner nicht öffnen.</translation>
    </message>
    <message>
      <source>It cannot be opened: {0}.</source>
      <translation>Sie kann nicht geöffnet werden: {0}.</translation>
    </message>
    <message>
      <source>It did not find by itself what was asked: the program searches for it from now on.</source>
      <translation>Es hat das Gefragte nicht selbst gefunden: Von nun an sucht das Programm für das Modell.</translation>
    </message>
    <message>
      <source>It had not finished its answer when the time was over.</source>
      <translation>Es war mit seiner Antwort nicht fertig, als die Zeit um war.</translation>
    </message>
    <message>
      <source>It has not been seen yet: the next scan of its folder finds it.</source>
      <translation>Sie wurde noch nicht gesehen: die nächste Durchsicht ihres Ordners findet sie.</translation>
    </message>
    <message>
      <source>It has several names (hard links), and the rules of this folder leave such files out</source>
      <translation>Sie hat mehrere Namen (harte Links), und die Regeln dieses Ordners lassen solche Dateien aus</translation>
    </message>
    <message>
      <source>It has {0} names (hard links): the others may lie outside of this folder.</source>
      <translation>Sie hat {0} Namen (harte Links): die anderen können außerhalb dieses Ordners liegen.</translation>
    </message>
    <message>
      <source>It is a folder of the library.</source>
      <translation>Es ist ein Ordner der Bibliothek.</translation>
    </message>
    <message>
      <source>It is already part of {0}.</source>
      <translation>Es gehört schon zu {0}.</translation>
    </message>
    <message>
      <source>It is inside {0}, which excludes it. {1}</source>
      <translation>Sie liegt in {0}, was sie ausschließt. {1}</translation>
    </message>
    <message>
      <source>It is neither a folder nor a file.</source>
      <translation>Es ist weder ein Ordner noch eine Datei.</translation>
    </message>
    <message>
      <source>It is no folder of documents: the system makes its files at the moment they are read ({0}).</source>
      <translation>Das ist kein Ordner mit Dokumenten: Das System erzeugt seine Dateien erst beim Lesen ({0}).</translation>
    </message>
    <message>
      <source>It is not a regular file.</source>
      <translation>Es ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
      <source>It is not there now: the next scan of its folder finds out whether it was deleted.</source>
      <translation>Sie ist gerade nicht da: Der nächste Durchlauf durch ihren Ordner stellt fest, ob sie gelöscht wurde.</translation>
    </message>
    <message>
      <source>It is not there now; what was read stays searchable.</source>
      <translation>Er ist zurzeit nicht da; was gelesen wurde, bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>It is not there.</source>
      <translation>Sie ist nicht da.</translation>
    </message>
    <message>
      <source>It is not there. {0}</source>
      <translation>Sie ist nicht da. {0}</translation>
    </message>
    <message>
      <source>It is on a network ({0}), which reports no changes</source>
      <translation>Er liegt in einem Netzwerk ({0}), das keine Änderungen meldet</translation>
    </message>
    <message>
      <source>It is read.</source>
      <translation>Sie wird gelesen.</translation>
    </message>
    <message>
      <source>It is slow: the program searches for it from now on, and shows its passages before the model's words.</source>
      <translation>Es ist langsam: Von nun an sucht das Programm für das Modell und zeigt seine Stellen vor dessen Worten.</translation>
    </message>
    <message>
      <source>It is small, or its window is: the program searches for it from now on.</source>
      <translation>Es ist klein, oder sein Fenster ist es: Von nun an sucht das Programm für das Modell.</translation>
    </message>
    <message>
      <source>It lies in no folder of the library.</source>
      <translation>Sie liegt in keinem Ordner der Bibliothek.</translation>
    </message>
    <message>
      <source>It names no file: write a name or a pattern after it.</source>
      <translation>Es nennt keine Datei: schreiben Sie einen Namen oder ein Muster dahinter.</translation>
    </message>
    <message>
      <source>It ranks higher because of a link from {0}.</source>
      <translation>Sie steht höher wegen eines Links von {0}.</translation>
    </message>
    <message>
      <source>It searched the sample library by itself and found what was asked: “Thorough” suits it.</source>
      <translation>Es hat die Beispielbibliothek selbst durchsucht und das Gefragte gefunden: „Gründlich“ passt zu ihm.</translation>
    </message>
    <message>
      <source>It sent no answer.</source>
      <translation>Es kam keine Antwort.</translation>
    </message>
    <message>
      <source>It waits to be read.</source>
      <translation>Sie wartet darauf, gelesen zu werden.</translation>
    </message>
    <message>
      <source>Its context window is {0} tokens.</source>
      <translation>Sein Kontextfenster hat {0} Token.</translation>
    </message>
    <message>
      <source>Its first words came after {0} seconds ({1} tokens read); it writes {2} a second.</source>
      <translation>Die ersten Worte kamen nach {0} Sekunden ({1} Token gelesen); es schreibt {2} in der Sekunde.</translation>
    </message>
    <message>
      <source>Its first words came after {0} seconds, for which it read {1} tokens.</source>
      <translation>Die ersten Worte kamen nach {0} Sekunden; dafür hat es {1} Token gelesen.</translation>
    </message>
    <message>
      <source>Its folder holds a file named “{0}”.</source>
      <translation>Ihr Ordner enthält eine Datei namens „{0}“.</translation>
    </message>
    <message>
      <source>Its folder is not there now; what was read stays searchable.</source>
      <translation>Ihr Ordner ist gerade nicht da; was gelesen wurde, bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>Its folder is paused.</source>
      <translation>Ihr Ordner ist angehalten.</translation>
    </message>
    <message>
      <source>Its models are not listed.</source>
      <translation>Seine Modelle werden nicht aufgelistet.</translation>
    </message>
    <message>
      <source>Its pages are pictures: it can be found by its name only, until they are recognised.</source>
      <translation>Die Seiten sind Bilder: Gefunden wird die Datei nur über ihren Namen, bis sie erkannt sind.</translation>
    </message>
    <message>
      <source>Its pages are pictures: only its name and the few words beside them can be found, until they are recognised.</source>
      <translation>Die Seiten sind Bilder: Gefunden werden nur der Name und die wenigen Wörter daneben, bis sie erkannt sind.</translation>
    </message>
    <message>
      <source>Its pictures wait for text recognition (OCR)</source>
      <translation>Die Bilder warten auf die Texterkennung (OCR)</translation>
    </message>
    <message>
      <source>Larger than {0} MB, the limit of this folder</source>
      <translation>Größer als {0} MB, die Grenze dieses Ordners</translation>
    </message>
    <message>
      <source>Line {0} of the file is no valid JSON: mend it first. Nothing was changed.</source>
      <translation>Zeile {0} der Datei ist kein gültiges JSON: Korrigieren Sie sie zuerst. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, leaves it out.</source>
      <translation>Zeile {0} von {1}, „{2}“, lässt sie aus.</translation>
    </message>
    <message>
      <source>Line {0} of {1}, “{2}”, {3}.</source>
      <translation>Zeile {0} von {1}, „{2}“, {3}.</translation>
    </message>
    <message>
      <source>Lines {0} to {1} are no lines: give the first, from 1, and the last.</source>
      <translation>{0} bis {1} sind keine Zeilen: Geben Sie die erste, ab 1, und die letzte an.</translation>
    </message>
    <message>
      <source>Lines {0}–{1} of {2}</source>
      <translation>Zeilen {0}–{1} von {2}</translation>
    </message>
    <message>
      <source>Listing documents</source>
      <translation>Listet Dokumente auf</translation>
    </message>
    <message>
      <source>Load the model with: lms load MODEL --context-length {0}</source>
      <translation>Laden Sie das Modell mit: lms load MODEL --context-length {0}</translation>
    </message>
    <message>
      <source>Long prompts</source>
      <translation>Lange Anfragen</translation>
    </message>
    <message>
      <source>Looking for documents with a word of {0} in their names</source>
      <translation>Sucht Dokumente mit einem Wort aus {0} im Namen</translation>
    </message>
    <message>
      <source>Looking for {0} in {1}</source>
      <translation>Sucht {0} in {1}</translation>
    </message>
    <message>
      <source>Mails nested this deeply in other mails are not read.</source>
      <translation>So tief in anderen E-Mails verschachtelte E-Mails werden nicht gelesen.</translation>
    </message>
    <message>
      <source>Memory is too short to open the keyword index. Close other programs.</source>
      <translation>Der Speicher reicht nicht, um den Wortindex zu öffnen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>Memory is too short to open the vectors. Close other programs.</source>
      <translation>Der Speicher reicht nicht, um die Vektoren zu öffnen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>Model files are run by llama.cpp, which is not part of the program. Install it with `{0}`, or run the file with Ollama or LM Studio and use that as a model.</source>
      <translation>Modelldateien werden mit llama.cpp ausgeführt, das nicht Teil des Programms ist. Installieren Sie es mit `{0}`, oder führen Sie die Datei mit Ollama oder LM Studio aus und verwenden Sie das als Modell.</translation>
    </message>
    <message>
      <source>More programs watch folders than this system allows</source>
      <translation>Mehr Programme überwachen Ordner, als dieses System erlaubt</translation>
    </message>
    <message>
      <source>More rows of the table have as many words of the question as the ones quoted.</source>
      <translation>Weitere Zeilen der Tabelle haben ebenso viele Wörter der Frage wie die zitierten.</translation>
    </message>
    <message>
      <source>More steps allowed</source>
      <translation>Mehr Schritte erlaubt</translation>
    </message>
    <message>
      <source>No document fulfils these conditions.</source>
      <translation>Kein Dokument erfüllt diese Bedingungen.</translation>
    </message>
    <message>
      <source>No document has {0}.</source>
      <translation>Kein Dokument enthält {0}.</translation>
    </message>
    <message>
      <source>No document is open.</source>
      <translation>Kein Dokument ist offen.</translation>
    </message>
    <message>
      <source>No document of the library fulfils these conditions.</source>
      <translation>Kein Dokument der Bibliothek erfüllt diese Bedingungen.</translation>
    </message>
    <message>
      <source>No encoder is known as “{0}”. Known are {1}; others can be added from a folder.</source>
      <translation>Kein Encoder ist als „{0}“ bekannt. Bekannt sind {1}; andere lassen sich aus einem Ordner hinzufügen.</translation>
    </message>
    <message>
      <source>No file of this library has the path {0}.</source>
      <translation>Keine Datei dieser Bibliothek hat den Pfad {0}.</translation>
    </message>
    <message>
      <source>No folder of the library is {0}, or lies in it.</source>
      <translation>Kein Ordner der Bibliothek ist {0} oder liegt darin.</translation>
    </message>
    <message>
      <source>No library can be made in {0} ({1}).</source>
      <translation>In {0} lässt sich keine Bibliothek anlegen ({1}).</translation>
    </message>
    <message>
      <source>No match</source>
      <translation>Kein Treffer</translation>
    </message>
    <message>
      <source>No model at this address</source>
      <translation>Unter dieser Adresse ist kein Modell</translation>
    </message>
    <message>
      <source>No model at {0} ({1}). Check the address.</source>
      <translation>Kein Modell unter {0} ({1}). Prüfen Sie die Adresse.</translation>
    </message>
    <message>
      <source>No model is chosen, or the second look is switched off: no model can look.</source>
      <translation>Kein Modell ist gewählt, oder der zweite Blick ist ausgeschaltet: Kein Modell kann nachsehen.</translation>
    </message>
    <message>
      <source>No models are listed. Type the model's name as its server writes it.</source>
      <translation>Es werden keine Modelle aufgelistet. Geben Sie den Namen des Modells so ein, wie sein Server ihn schreibt.</translation>
    </message>
    <message>
      <source>No passage has all of these words.</source>
      <translation>Keine Stelle enthält alle diese Wörter.</translation>
    </message>
    <message>
      <source>No passage has {0} word for word.</source>
      <translation>Keine Stelle enthält {0} Wort für Wort.</translation>
    </message>
    <message>
      <source>No passage was found since the last answer.</source>
      <translation>Seit der letzten Antwort wurde keine Stelle gefunden.</translation>
    </message>
    <message>
      <source>No path was found at which the indexer can listen ({0}).</source>
      <translation>Es fand sich kein Pfad, an dem der Indexierer lauschen kann ({0}).</translation>
    </message>
    <message>
      <source>No quotation mentions {0} together.</source>
      <translation>Kein Zitat erwähnt {0} zusammen.</translation>
    </message>
    <message>
      <source>No sentence that answers this was found in the part of your library that you chose.</source>
      <translation>Im gewählten Teil Ihrer Bibliothek wurde kein Satz gefunden, der dies beantwortet.</translation>
    </message>
    <message>
      <source>No sentence that answers this was found in your library.</source>
      <translation>In Ihrer Bibliothek wurde kein Satz gefunden, der dies beantwortet.</translation>
    </message>
    <message>
      <source>No sentence that answers “{0}” was found in the part of your library that you chose.</source>
      <translation>Im gewählten Teil Ihrer Bibliothek wurde kein Satz gefunden, der „{0}“ beantwortet.</translation>
    </message>
    <message>
      <source>No sentence that answers “{0}” was found in your library.</source>
      <translation>In Ihrer Bibliothek wurde kein Satz gefunden, der „{0}“ beantwortet.</translation>
    </message>
    <message>
      <source>No such document</source>
      <translation>Kein solches Dokument</translation>
    </message>
    <message>
      <source>None of these quotations mentions {0}.</source>
      <translation>Keines dieser Zitate erwähnt {0}.</translation>
    </message>
    <message>
      <source>Not found by this search.</source>
      <translation>Von dieser Suche nicht gefunden.</translation>
    </message>
    <message>
      <source>Not found: a condition on files excludes it.</source>
      <translation>Nicht gefunden: eine Bedingung an die Dateien schließt sie aus.</translation>
    </message>
    <message>
      <source>Not found: it is not among the first {0} passages.</source>
      <translation>Nicht gefunden: sie ist nicht unter den ersten {0} Stellen.</translation>
    </message>
    <message>
      <source>Not in the passages that were read; the document is longer.</source>
      <translation>Nicht in den gelesenen Stellen; das Dokument ist länger.</translation>
    </message>
    <message>
      <source>Not read</source>
      <translation>Nicht gelesen</translation>
    </message>
    <message>
      <source>Notebooks</source>
      <translation>Notebooks</translation>
    </message>
    <message>
      <source>Nothing about “{0}” was found.</source>
      <translation>Über „{0}“ wurde nichts gefunden.</translation>
    </message>
    <message>
      <source>Nothing answers at {0}. Start the server, or check the address and port.</source>
      <translation>Unter {0} antwortet nichts. Starten Sie den Server, oder prüfen Sie Adresse und Port.</translation>
    </message>
    <message>
      <source>Nothing found</source>
      <translation>Nichts gefunden</translation>
    </message>
    <message>
      <source>Nothing found; {0} stands nowhere</source>
      <translation>Nichts gefunden; {0} steht nirgends</translation>
    </message>
    <message>
      <source>Nothing given</source>
      <translation>Nichts gegeben</translation>
    </message>
    <message>
      <source>Nothing is sent as long as “{0}” is on the never-send list without its whole path. Correct it in the settings under Privacy.</source>
      <translation>Nichts wird gesendet, solange „{0}“ ohne vollständigen Pfad auf der Nie-senden-Liste steht. Korrigieren Sie das in den Einstellungen unter Datenschutz.</translation>
    </message>
    <message>
      <source>Nothing more was sent: this question had found “{0}” before it was marked as never sent. Ask again: the answer will do without it.</source>
      <translation>Es wurde nichts mehr gesendet: Für diese Frage wurde „{0}“ gefunden, bevor es als „nie senden“ markiert wurde. Fragen Sie noch einmal: Die Antwort kommt dann ohne dieses Dokument aus.</translation>
    </message>
    <message>
      <source>Nothing that was read mentions {0}.</source>
      <translation>Nichts von dem, was gelesen wurde, erwähnt {0}.</translation>
    </message>
    <message>
      <source>Nothing was exported</source>
      <translation>Nichts wurde exportiert</translation>
    </message>
    <message>
      <source>Nothing was sent</source>
      <translation>Es wurde nichts gesendet</translation>
    </message>
    <message>
      <source>Nothing was sent to {0} yet: allow it in the window when it asks, or with `desktop-rag sent --allow {1}`. It will receive your questions and the passages that are read to answer them.</source>
      <translation>An {0} wurde noch nichts gesendet: Erlauben Sie es im Fenster, wenn es fragt, oder mit `desktop-rag sent --allow {1}`. Er erhält dann Ihre Fragen und die Stellen, die für die Antworten gelesen werden.</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: the program is set to work offline. Change that in the settings under Privacy, or choose the built-in model.</source>
      <translation>An {0} wurde nichts gesendet: Das Programm arbeitet offline. Ändern Sie das in den Einstellungen unter Datenschutz, oder wählen Sie das eingebaute Modell.</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: the record of what is sent cannot be written ({1}).</source>
      <translation>An {0} wurde nichts gesendet: Die Aufzeichnung des Gesendeten kann nicht geschrieben werden ({1}).</translation>
    </message>
    <message>
      <source>Nothing was sent to {0}: “{1}” is set to be on this computer only, and this address is not.</source>
      <translation>An {0} wurde nichts gesendet: „{1}“ darf nur auf diesem Computer sein, und diese Adresse ist es nicht.</translation>
    </message>
    <message>
      <source>OCR is not installed (install Tesseract: package tesseract-ocr)</source>
      <translation>OCR ist nicht installiert (installieren Sie Tesseract: Paket tesseract-ocr)</translation>
    </message>
    <message>
      <source>Of a prompt of about {0} tokens only {1} arrived: the beginning is cut off silently.</source>
      <translation>Von einer Anfrage von etwa {0} Token kamen nur {1} an: Der Anfang wird stillschweigend abgeschnitten.</translation>
    </message>
    <message>
      <source>One model is listed.</source>
      <translation>Ein Modell wird aufgelistet.</translation>
    </message>
    <message>
      <source>OneNote files are not read yet; export their pages as PDF or .docx</source>
      <translation>OneNote-Dateien werden noch nicht gelesen; exportieren Sie ihre Seiten als PDF oder .docx</translation>
    </message>
    <message>
      <source>Only a part of it was read: {0}</source>
      <translation>Nur ein Teil wurde gelesen: {0}</translation>
    </message>
    <message>
      <source>Only date:, sent: and modified: take a range.</source>
      <translation>Nur date:, sent: und modified: nehmen einen Bereich.</translation>
    </message>
    <message>
      <source>Only mails have “{0}:”, and there is no mail in this library.</source>
      <translation>Nur E-Mails haben „{0}:“, und in dieser Bibliothek ist keine E-Mail.</translation>
    </message>
    <message>
      <source>Only passages that the conditions of this search leave out have these words.</source>
      <translation>Nur Stellen, die die Bedingungen dieser Suche ausschließen, enthalten diese Wörter.</translation>
    </message>
    <message>
      <source>Only the first {0} pages of this book were read.</source>
      <translation>Nur die ersten {0} Seiten dieses Buchs wurden gelesen.</translation>
    </message>
    <message>
      <source>Only the first {0} pages of this comic were read.</source>
      <translation>Nur die ersten {0} Seiten dieses Comics wurden gelesen.</translation>
    </message>
    <message>
      <source>Opening {0}</source>
      <translation>Öffnet {0}</translation>
    </message>
    <message>
      <source>Outlines and links {0}</source>
      <translation>Gliederungen und Links {0}</translation>
    </message>
    <message>
      <source>Page {0} cannot be shown: {1}.</source>
      <translation>Seite {0} lässt sich nicht zeigen: {1}.</translation>
    </message>
    <message>
      <source>Parallel calls</source>
      <translation>Mehrere Aufrufe</translation>
    </message>
    <message>
      <source>Pictures</source>
      <translation>Bilder</translation>
    </message>
    <message>
      <source>Pictures in which text recognition (OCR) found no words</source>
      <translation>Bilder, in denen die Texterkennung (OCR) keine Wörter fand</translation>
    </message>
    <message>
      <source>Pictures inside other files are not read.</source>
      <translation>Bilder in anderen Dateien werden nicht gelesen.</translation>
    </message>
    <message>
      <source>Pictures: waiting for text recognition (OCR)</source>
      <translation>Bilder: warten auf die Texterkennung (OCR)</translation>
    </message>
    <message>
      <source>PostScript and DVI files are not read yet; convert them to PDF</source>
      <translation>PostScript- und DVI-Dateien werden noch nicht gelesen; wandeln Sie sie in PDF um</translation>
    </message>
    <message>
      <source>Presentations</source>
      <translation>Präsentationen</translation>
    </message>
    <message>
      <source>Programs</source>
      <translation>Programme</translation>
    </message>
    <message>
      <source>Publisher files are not read yet; export them as PDF</source>
      <translation>Publisher-Dateien werden noch nicht gelesen; exportieren Sie sie als PDF</translation>
    </message>
    <message>
      <source>Raise the context length in the settings of the server to {0} tokens.</source>
      <translation>Erhöhen Sie die Kontextlänge in den Einstellungen des Servers auf {0} Token.</translation>
    </message>
    <message>
      <source>Re-ranked, with the links of the best passages</source>
      <translation>Neu geordnet, mit den Verweisen der besten Stellen</translation>
    </message>
    <message>
      <source>Read: {0} of {1} lines ({2}) of {3}.</source>
      <translation>Gelesen: {0} von {1} Zeilen ({2}) von {3}.</translation>
    </message>
    <message>
      <source>Reading further needs more memory than is allowed; the rest of this file was left out.</source>
      <translation>Weiterlesen braucht mehr Speicher als erlaubt; der Rest dieser Datei wurde ausgelassen.</translation>
    </message>
    <message>
      <source>Reading this file needs more memory than is allowed.</source>
      <translation>Diese Datei zu lesen braucht mehr Speicher als erlaubt.</translation>
    </message>
    <message>
      <source>Reading this file takes too long; the rest of it was left out.</source>
      <translation>Das Lesen dieser Datei dauert zu lange; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>Reading this file was interrupted: {0}. It is tried again later.</source>
      <translation>Das Lesen dieser Datei wurde unterbrochen: {0}. Es wird später erneut versucht.</translation>
    </message>
    <message>
      <source>Reading this file {0}</source>
      <translation>Das Lesen dieser Datei {0}</translation>
    </message>
    <message>
      <source>Reading {0}</source>
      <translation>Liest {0}</translation>
    </message>
    <message>
      <source>Reading {0} first</source>
      <translation>Liest zuerst {0}</translation>
    </message>
    <message>
      <source>Reading {0}{1}</source>
      <translation>Liest {0}{1}</translation>
    </message>
    <message>
      <source>Recognising text was interrupted: {0}.</source>
      <translation>Die Texterkennung wurde unterbrochen: {0}.</translation>
    </message>
    <message>
      <source>Say how many words may stand between, for example ~5.</source>
      <translation>Sagen Sie, wie viele Wörter dazwischen stehen dürfen, etwa ~5.</translation>
    </message>
    <message>
      <source>Search by meaning covers {0} % of its sentences so far.</source>
      <translation>Die Suche nach Bedeutung umfasst bisher {0} % ihrer Sätze.</translation>
    </message>
    <message>
      <source>Search by meaning covers {0} so far.</source>
      <translation>Die Suche nach Bedeutung umfasst bisher {0}.</translation>
    </message>
    <message>
      <source>Search by meaning is incomplete until indexing has made the vector files anew.</source>
      <translation>Die Suche nach Bedeutung ist unvollständig, bis das Indexieren die Vektordateien neu angelegt hat.</translation>
    </message>
    <message>
      <source>Search by meaning is not available</source>
      <translation>Die Suche nach Bedeutung ist nicht verfügbar</translation>
    </message>
    <message>
      <source>Searched for {0}.</source>
      <translation>Gesucht wurde nach {0}.</translation>
    </message>
    <message>
      <source>Searching for passages like {0}</source>
      <translation>Sucht Stellen wie {0}</translation>
    </message>
    <message>
      <source>Searching for the meaning of {0}</source>
      <translation>Sucht nach der Bedeutung von {0}</translation>
    </message>
    <message>
      <source>Searching for the words {0}</source>
      <translation>Sucht nach den Wörtern {0}</translation>
    </message>
    <message>
      <source>Searching {0}</source>
      <translation>Sucht {0}</translation>
    </message>
    <message>
      <source>Searching {0}{1}</source>
      <translation>Sucht {0}{1}</translation>
    </message>
    <message>
      <source>Sentences {0}</source>
      <translation>Sätze {0}</translation>
    </message>
    <message>
      <source>Showing this page needs more memory than is allowed.</source>
      <translation>Das Anzeigen dieser Seite braucht mehr Speicher als erlaubt.</translation>
    </message>
    <message>
      <source>Some of it is on a drive that is not connected now; its text stays searchable.</source>
      <translation>Ein Teil liegt auf einem Laufwerk, das gerade nicht angeschlossen ist; sein Text bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>Something went wrong</source>
      <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
      <source>Sounds</source>
      <translation>Tonaufnahmen</translation>
    </message>
    <message>
      <source>Sounds and films inside other files are not read.</source>
      <translation>Töne und Filme in anderen Dateien werden nicht gelesen.</translation>
    </message>
    <message>
      <source>Spreadsheets</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <source>Start the server with: OLLAMA_CONTEXT_LENGTH={0} ollama serve</source>
      <translation>Starten Sie den Server mit: OLLAMA_CONTEXT_LENGTH={0} ollama serve</translation>
    </message>
    <message>
      <source>Start the server with: llama-server -m MODEL.gguf -c {0}</source>
      <translation>Starten Sie den Server mit: llama-server -m MODEL.gguf -c {0}</translation>
    </message>
    <message>
      <source>Start the server with: vllm serve MODEL --max-model-len {0}</source>
      <translation>Starten Sie den Server mit: vllm serve MODEL --max-model-len {0}</translation>
    </message>
    <message>
      <source>Summing up, keeping {0}</source>
      <translation>Fasst zusammen und behält {0}</translation>
    </message>
    <message>
      <source>Taking {0}</source>
      <translation>Nimmt {0}</translation>
    </message>
    <message>
      <source>Tesseract cannot be started ({0}).</source>
      <translation>Tesseract lässt sich nicht starten ({0}).</translation>
    </message>
    <message>
      <source>Test it to see how it answers.</source>
      <translation>Testen Sie es, um zu sehen, wie es antwortet.</translation>
    </message>
    <message>
      <source>The API key of this model contains {0} and was not sent. Enter the key again in the settings.</source>
      <translation>Der API-Schlüssel dieses Modells enthält {0} und wurde nicht gesendet. Geben Sie ihn in den Einstellungen neu ein.</translation>
    </message>
    <message>
      <source>The CA file {0} cannot be used ({1}). Choose a PEM file in the settings of the model.</source>
      <translation>Die CA-Datei {0} ist nicht verwendbar ({1}). Wählen Sie eine PEM-Datei in den Einstellungen des Modells.</translation>
    </message>
    <message>
      <source>The CA file {0} cannot be used ({1}). Choose a PEM file.</source>
      <translation>Die CA-Datei {0} kann nicht verwendet werden ({1}). Wählen Sie eine PEM-Datei.</translation>
    </message>
    <message>
      <source>The account at {0} has no credit left ({1}). Add credit there, or choose another model.</source>
      <translation>Das Konto bei {0} hat kein Guthaben mehr ({1}). Laden Sie es dort auf, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
      <source>The account has no credit left</source>
      <translation>Das Konto hat kein Guthaben mehr</translation>
    </message>
    <message>
      <source>The address does not speak HTTP</source>
      <translation>Diese Adresse spricht kein HTTP</translation>
    </message>
    <message>
      <source>The address must be https</source>
      <translation>Die Adresse muss mit https beginnen</translation>
    </message>
    <message>
      <source>The address of a store of files is written https://SERVER/BUCKET.</source>
      <translation>Die Adresse eines Dateispeichers wird https://SERVER/BUCKET geschrieben.</translation>
    </message>
    <message>
      <source>The address of a team library has no usable port ({0}).</source>
      <translation>Die Adresse einer Teambibliothek hat keinen brauchbaren Port ({0}).</translation>
    </message>
    <message>
      <source>The address of a team library is written https://SERVER:9200/NAME.</source>
      <translation>Die Adresse einer Team-Bibliothek wird so geschrieben: https://SERVER:9200/NAME.</translation>
    </message>
    <message>
      <source>The address of the store has no usable port ({0}).</source>
      <translation>Die Adresse des Speichers hat keinen brauchbaren Port ({0}).</translation>
    </message>
    <message>
      <source>The answer arrives in one piece: a server or a proxy on the way holds it back.</source>
      <translation>Die Antwort kommt in einem Stück an: Ein Server oder Proxy auf dem Weg hält sie zurück.</translation>
    </message>
    <message>
      <source>The answer arrives word by word.</source>
      <translation>Die Antwort kommt Wort für Wort an.</translation>
    </message>
    <message>
      <source>The background process ended unexpectedly. Please try again.</source>
      <translation>Der Hintergrundprozess ist unerwartet beendet. Bitte versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>The background process gave an invalid answer to {0}.</source>
      <translation>Der Hintergrundprozess gab eine ungültige Antwort auf {0}.</translation>
    </message>
    <message>
      <source>The background process gave no answer. Please try again.</source>
      <translation>Der Hintergrundprozess gab keine Antwort. Bitte versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>The best of all systems together: finds the right documents, reads them and proves what it says.</source>
      <translation>Das Beste aller Systeme zusammen: findet die richtigen Dokumente, liest sie und belegt, was es sagt.</translation>
    </message>
    <message>
      <source>The bookmarks cannot be kept</source>
      <translation>Die Lesezeichen lassen sich nicht speichern</translation>
    </message>
    <message>
      <source>The bookmarks could not be {0} ({1}).</source>
      <translation>Die Lesezeichen: {0} ging nicht ({1}).</translation>
    </message>
    <message>
      <source>The bracket “[” opens a set of letters that is not valid, such as [a-z]; write \[ for the character.</source>
      <translation>Die Klammer „[“ öffnet eine ungültige Gruppe von Buchstaben, gültig ist etwa [a-z]; schreiben Sie \[ für das Zeichen.</translation>
    </message>
    <message>
      <source>The built-in model knows nothing by itself: it only quotes your documents, which were not searched for this. Ask what they may answer, or choose another method or a language model.</source>
      <translation>Das eingebaute Modell weiß selbst nichts: Es zitiert nur Ihre Dokumente, die hierfür nicht durchsucht wurden. Fragen Sie, was darin stehen kann, oder wählen Sie ein anderes Verfahren oder ein Sprachmodell.</translation>
    </message>
    <message>
      <source>The catalog in {0} is missing. `desktop-rag index`, or opening the window, reads your folders again.</source>
      <translation>Der Katalog in {0} fehlt. `desktop-rag index`, oder das Öffnen des Fensters, liest Ihre Ordner neu.</translation>
    </message>
    <message>
      <source>The catalog is missing.</source>
      <translation>Der Katalog fehlt.</translation>
    </message>
    <message>
      <source>The catalog is that of another library.</source>
      <translation>Der Katalog gehört zu einer anderen Bibliothek.</translation>
    </message>
    <message>
      <source>The catalog was empty.</source>
      <translation>Der Katalog war leer.</translation>
    </message>
    <message>
      <source>The cells of the sheet {0} are too far apart; it was left out.</source>
      <translation>Die Zellen des Blatts {0} liegen zu weit auseinander; es wurde ausgelassen.</translation>
    </message>
    <message>
      <source>The certificate is not trusted</source>
      <translation>Dem Zertifikat wird nicht vertraut</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). If your network or server has its own authority, choose its CA file in the settings of the model.</source>
      <translation>Dem Zertifikat von {0} wird nicht vertraut ({1}). Wenn Ihr Netz oder Server eine eigene Zertifizierungsstelle hat, wählen Sie deren CA-Datei in den Einstellungen des Modells.</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). It has to be renewed there, unless the date of this computer is wrong.</source>
      <translation>Dem Zertifikat von {0} wird nicht vertraut ({1}). Es muss dort erneuert werden, sofern das Datum dieses Computers stimmt.</translation>
    </message>
    <message>
      <source>The certificate of {0} is not trusted ({1}). It was made for another name: use that in the address.</source>
      <translation>Dem Zertifikat von {0} wird nicht vertraut ({1}). Es ist auf einen anderen Namen ausgestellt: Verwenden Sie diesen in der Adresse.</translation>
    </message>
    <message>
      <source>The certificate {0} cannot be used ({1}). Choose a PEM file that holds the certificate and its key, and give the password of the key if it has one.</source>
      <translation>Das Zertifikat {0} kann nicht verwendet werden ({1}). Wählen Sie eine PEM-Datei mit dem Zertifikat und seinem Schlüssel, und geben Sie das Passwort des Schlüssels an, falls er eines hat.</translation>
    </message>
    <message>
      <source>The character encoding of this file is not recognised; save it as UTF-8.</source>
      <translation>Die Zeichenkodierung dieser Datei wird nicht erkannt; speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
      <source>The check for updates failed</source>
      <translation>Die Suche nach Aktualisierungen ist fehlgeschlagen</translation>
    </message>
    <message>
      <source>The client certificate {0} cannot be used ({1}). Choose a PEM file that holds the certificate and its key without a password.</source>
      <translation>Das Client-Zertifikat {0} ist nicht verwendbar ({1}). Wählen Sie eine PEM-Datei, die das Zertifikat und seinen Schlüssel ohne Passwort enthält.</translation>
    </message>
    <message>
      <source>The closest passage is in another language, and may not answer the question:</source>
      <translation>Die nächstliegende Stelle ist in einer anderen Sprache und beantwortet die Frage vielleicht nicht:</translation>
    </message>
    <message>
      <source>The closest passage, which may not answer the question:</source>
      <translation>Die nächstliegende Stelle, die die Frage vielleicht nicht beantwortet:</translation>
    </message>
    <message>
      <source>The closest passages, which may not answer the question:</source>
      <translation>Die nächstliegenden Stellen, die die Frage vielleicht nicht beantworten:</translation>
    </message>
    <message>
      <source>The condition {0} does not hold.</source>
      <translation>Die Bedingung {0} ist nicht erfüllt.</translation>
    </message>
    <message>
      <source>The condition {0} holds.</source>
      <translation>Die Bedingung {0} ist erfüllt.</translation>
    </message>
    <message>
      <source>The condition “{0}” has no value: leave it out, or give one.</source>
      <translation>Die Bedingung „{0}“ hat keinen Wert: Lassen Sie sie weg oder geben Sie einen an.</translation>
    </message>
    <message>
      <source>The connection was cut</source>
      <translation>Die Verbindung brach ab</translation>
    </message>
    <message>
      <source>The conversation does not fit the model</source>
      <translation>Das Gespräch passt nicht in das Modell</translation>
    </message>
    <message>
      <source>The conversations cannot be kept</source>
      <translation>Die Gespräche lassen sich nicht speichern</translation>
    </message>
    <message>
      <source>The conversations could not be {0} ({1}).</source>
      <translation>Die Gespräche: {0} ging nicht ({1}).</translation>
    </message>
    <message>
      <source>The data file of Outlook 2013 or later is not read; export its folders as a .pst file.</source>
      <translation>Die Datendatei von Outlook 2013 oder später wird nicht gelesen; exportieren Sie ihre Ordner als .pst-Datei.</translation>
    </message>
    <message>
      <source>The disk is full. Free some space; indexing continues by itself.</source>
      <translation>Die Festplatte ist voll. Schaffen Sie Platz; das Indexieren geht von selbst weiter.</translation>
    </message>
    <message>
      <source>The disk is full. What was found so far is kept; free some space, then go on.</source>
      <translation>Die Festplatte ist voll. Was bisher gefunden wurde, bleibt erhalten; schaffen Sie Platz, dann machen Sie weiter.</translation>
    </message>
    <message>
      <source>The disk reported an error on {0} ({1}).</source>
      <translation>Das Laufwerk meldete einen Fehler bei {0} ({1}).</translation>
    </message>
    <message>
      <source>The documents of a team library are on its server, which reads them. Add folders to a library on this computer.</source>
      <translation>Die Dokumente einer Team-Bibliothek liegen auf ihrem Server, der sie liest. Fügen Sie Ordner zu einer Bibliothek auf diesem Computer hinzu.</translation>
    </message>
    <message>
      <source>The drive of “{0}” is not connected now; its text stays searchable.</source>
      <translation>Das Laufwerk von „{0}“ ist gerade nicht angeschlossen; sein Text bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>The encoder cannot be written to {0}: {1}.</source>
      <translation>Der Encoder kann nicht nach {0} geschrieben werden: {1}.</translation>
    </message>
    <message>
      <source>The encoder does not know this language, so only words are searched for.</source>
      <translation>Der Encoder kennt diese Sprache nicht, daher wird nur nach Wörtern gesucht.</translation>
    </message>
    <message>
      <source>The encoder was not added.</source>
      <translation>Der Encoder wurde nicht hinzugefügt.</translation>
    </message>
    <message>
      <source>The end of this file is damaged and was left out.</source>
      <translation>Das Ende dieser Datei ist beschädigt und wurde ausgelassen.</translation>
    </message>
    <message>
      <source>The file cannot be kept in {0} ({1}).</source>
      <translation>Die Datei kann nicht in {0} abgelegt werden ({1}).</translation>
    </message>
    <message>
      <source>The file of this link has characters that cannot be shown.</source>
      <translation>Die Datei dieses Links enthält Zeichen, die nicht angezeigt werden können.</translation>
    </message>
    <message>
      <source>The file of this link has no full path.</source>
      <translation>Die Datei dieses Links hat keinen vollständigen Pfad.</translation>
    </message>
    <message>
      <source>The folder of “{0}”, {1}, does not exist. Connect its disk, or name another library.</source>
      <translation>Der Ordner von „{0}“, {1}, existiert nicht. Verbinden Sie sein Laufwerk, oder nennen Sie eine andere Bibliothek.</translation>
    </message>
    <message>
      <source>The fonts of this file do not tell which letters they draw; convert it to PDF for text recognition.</source>
      <translation>Die Schriften dieser Datei verraten nicht, welche Buchstaben sie zeichnen; wandeln Sie sie für die Texterkennung in PDF um.</translation>
    </message>
    <message>
      <source>The indexer does not answer. Please try again.</source>
      <translation>Der Indexer antwortet nicht. Bitte versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>The instructions {0} are missing from this installation ({1}).</source>
      <translation>Die Anweisungen {0} fehlen in dieser Installation ({1}).</translation>
    </message>
    <message>
      <source>The key cannot be used</source>
      <translation>Der Schlüssel kann nicht verwendet werden</translation>
    </message>
    <message>
      <source>The key may not use this model</source>
      <translation>Der Schlüssel darf dieses Modell nicht verwenden</translation>
    </message>
    <message>
      <source>The key of “{0}” could not be {1} ({2}). Unlock the keychain and try again.</source>
      <translation>Der Schlüssel von „{0}“: {1} ging nicht ({2}). Entsperren Sie den Schlüsselbund und versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>The key was refused</source>
      <translation>Der Schlüssel wurde abgelehnt</translation>
    </message>
    <message>
      <source>The keychain did not answer</source>
      <translation>Der Schlüsselbund antwortete nicht</translation>
    </message>
    <message>
      <source>The keychain has no password or token for the team's library. Enter it: “Edit team library…” in the menu of libraries, or `desktop-rag libraries --team NAME --edit`.</source>
      <translation>Der Schlüsselbund hat kein Passwort oder Token für die Team-Bibliothek. Geben Sie es ein: „Team-Bibliothek bearbeiten…“ im Menü der Bibliotheken oder `desktop-rag libraries --team NAME --edit`.</translation>
    </message>
    <message>
      <source>The keychain took the key of “{0}” but does not give it back. Unlock it, or check its settings, and enter the key again.</source>
      <translation>Der Schlüsselbund nahm den Schlüssel von „{0}“ an, gibt ihn aber nicht zurück. Entsperren Sie ihn, oder prüfen Sie seine Einstellungen, und geben Sie den Schlüssel erneut ein.</translation>
    </message>
    <message>
      <source>The keyword index cannot be read ({0}).</source>
      <translation>Der Wortindex kann nicht gelesen werden ({0}).</translation>
    </message>
    <message>
      <source>The keyword index could not be {0} ({1}: {2}); it will be rebuilt.</source>
      <translation>Der Wortindex: {0} ging nicht ({1}: {2}); er wird neu aufgebaut.</translation>
    </message>
    <message>
      <source>The keyword index is damaged (a file is missing); it will be rebuilt.</source>
      <translation>Der Wortindex ist beschädigt (eine Datei fehlt); er wird neu aufgebaut.</translation>
    </message>
    <message>
      <source>The keyword index is damaged ({0}); it will be rebuilt.</source>
      <translation>Der Wortindex ist beschädigt ({0}); er wird neu aufgebaut.</translation>
    </message>
    <message>
      <source>The keyword index is damaged; it will be rebuilt.</source>
      <translation>Der Wortindex ist beschädigt; er wird neu aufgebaut.</translation>
    </message>
    <message>
      <source>The keyword index was written by another version of this program; it will be rebuilt.</source>
      <translation>Der Wortindex stammt von einer anderen Version dieses Programms; er wird neu aufgebaut.</translation>
    </message>
    <message>
      <source>The library at {0} has format {1}; this version of Desktop RAG reads format {2}. Ask whoever runs it to update Desktop RAG where it is written.</source>
      <translation>Die Bibliothek unter {0} hat Format {1}; diese Version von Desktop RAG liest Format {2}. Bitten Sie, wer sie betreibt, Desktop RAG dort zu aktualisieren, wo sie geschrieben wird.</translation>
    </message>
    <message>
      <source>The library at {0} has format {1}; this version of Desktop RAG reads format {2}. Update Desktop RAG on this computer.</source>
      <translation>Die Bibliothek unter {0} hat Format {1}; diese Version von Desktop RAG liest Format {2}. Aktualisieren Sie Desktop RAG auf diesem Computer.</translation>
    </message>
    <message>
      <source>The library at {0} is written by a newer version of Desktop RAG. Update this one.</source>
      <translation>Die Bibliothek unter {0} wird von einer neueren Version von Desktop RAG geschrieben. Aktualisieren Sie diese.</translation>
    </message>
    <message>
      <source>The library cannot be opened: {0}.</source>
      <translation>Die Bibliothek kann nicht geöffnet werden: {0}.</translation>
    </message>
    <message>
      <source>The library cannot be used</source>
      <translation>Die Bibliothek ist nicht verwendbar</translation>
    </message>
    <message>
      <source>The library has no document {0}.</source>
      <translation>Die Bibliothek hat kein Dokument {0}.</translation>
    </message>
    <message>
      <source>The library in {0} cannot be opened: {1}</source>
      <translation>Die Bibliothek in {0} lässt sich nicht öffnen: {1}</translation>
    </message>
    <message>
      <source>The library in {0} cannot be written ({1}). Check its permissions and its disk, or choose another folder for it.</source>
      <translation>Die Bibliothek in {0} lässt sich nicht schreiben ({1}). Prüfen Sie ihre Rechte und ihr Laufwerk, oder wählen Sie einen anderen Ordner dafür.</translation>
    </message>
    <message>
      <source>The library in {0} is in use by a program that does not answer. Close other windows of this program, or restart the computer.</source>
      <translation>Die Bibliothek in {0} wird von einem Programm verwendet, das nicht antwortet. Schließen Sie andere Fenster dieses Programms, oder starten Sie den Computer neu.</translation>
    </message>
    <message>
      <source>The library in {0} was deleted.</source>
      <translation>Die Bibliothek in {0} wurde gelöscht.</translation>
    </message>
    <message>
      <source>The library is damaged</source>
      <translation>Die Bibliothek ist beschädigt</translation>
    </message>
    <message>
      <source>The library is in use</source>
      <translation>Die Bibliothek wird gerade verwendet</translation>
    </message>
    <message>
      <source>The library is missing</source>
      <translation>Die Bibliothek fehlt</translation>
    </message>
    <message>
      <source>The library is open in another window or command. Close it, then repair the library again.</source>
      <translation>Die Bibliothek ist in einem anderen Fenster oder Befehl offen. Schließen Sie es und reparieren Sie die Bibliothek dann erneut.</translation>
    </message>
    <message>
      <source>The library is still being indexed; search by meaning covers {0} of it so far.</source>
      <translation>Die Bibliothek wird noch eingelesen; die Suche nach Bedeutung deckt bisher {0} davon ab.</translation>
    </message>
    <message>
      <source>The library needs a name.</source>
      <translation>Die Bibliothek braucht einen Namen.</translation>
    </message>
    <message>
      <source>The library was of an older version of this program.</source>
      <translation>Die Bibliothek stammte von einer älteren Version dieses Programms.</translation>
    </message>
    <message>
      <source>The limit must be from 1 to {0}.</source>
      <translation>Die Grenze muss von 1 bis {0} sein.</translation>
    </message>
    <message>
      <source>The limit of {0} seconds is reached.</source>
      <translation>Die Grenze von {0} Sekunden ist erreicht.</translation>
    </message>
    <message>
      <source>The limit of {0} steps is reached.</source>
      <translation>Die Grenze von {0} Schritten ist erreicht.</translation>
    </message>
    <message>
      <source>The limit of {0} tokens is reached.</source>
      <translation>Die Grenze von {0} Token ist erreicht.</translation>
    </message>
    <message>
      <source>The limit of {0} tool calls is reached.</source>
      <translation>Die Grenze von {0} Werkzeugaufrufen ist erreicht.</translation>
    </message>
    <message>
      <source>The line of this link is not a number.</source>
      <translation>Die Zeile dieses Links ist keine Zahl.</translation>
    </message>
    <message>
      <source>The list of libraries in {0} cannot be changed ({1}).</source>
      <translation>Die Liste der Bibliotheken in {0} lässt sich nicht ändern ({1}).</translation>
    </message>
    <message>
      <source>The model accepts tools but does not call them</source>
      <translation>Das Modell nimmt Werkzeuge an, ruft sie aber nicht auf</translation>
    </message>
    <message>
      <source>The model answered, but not with a value and a quotation.</source>
      <translation>Das Modell hat geantwortet, aber nicht mit einem Wert und einem Zitat.</translation>
    </message>
    <message>
      <source>The model asks for a key</source>
      <translation>Das Modell verlangt einen Schlüssel</translation>
    </message>
    <message>
      <source>The model asks for another certificate</source>
      <translation>Das Modell verlangt ein anderes Zertifikat</translation>
    </message>
    <message>
      <source>The model at {0} does not know what stood at the beginning of about {1} tokens: the server seems to drop it without a word. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or lower its context window in the settings.</source>
      <translation>Das Modell bei {0} kennt den Anfang von etwa {1} gesendeten Token nicht: Der Server lässt ihn offenbar stillschweigend weg. Geben Sie dem Modell dort einen größeren Kontext (Ollama: OLLAMA_CONTEXT_LENGTH), oder verkleinern Sie sein Kontextfenster in den Einstellungen.</translation>
    </message>
    <message>
      <source>The model calls a tool and goes on with its result.</source>
      <translation>Das Modell ruft ein Werkzeug auf und arbeitet mit dem Ergebnis weiter.</translation>
    </message>
    <message>
      <source>The model calls a tool but says nothing about its result.</source>
      <translation>Das Modell ruft ein Werkzeug auf, sagt aber nichts zum Ergebnis.</translation>
    </message>
    <message>
      <source>The model calls tools wrongly</source>
      <translation>Das Modell ruft Werkzeuge falsch auf</translation>
    </message>
    <message>
      <source>The model cannot be reached</source>
      <translation>Das Modell ist nicht erreichbar</translation>
    </message>
    <message>
      <source>The model closed the connection</source>
      <translation>Das Modell hat die Verbindung geschlossen</translation>
    </message>
    <message>
      <source>The model compresses its answer in a way it was not asked for. Check its proxy.</source>
      <translation>Das Modell komprimiert seine Antwort, ohne dass es darum gebeten wurde. Prüfen Sie seinen Proxy.</translation>
    </message>
    <message>
      <source>The model cut off the beginning</source>
      <translation>Das Modell hat den Anfang abgeschnitten</translation>
    </message>
    <message>
      <source>The model did not accept the request</source>
      <translation>Das Modell nahm die Anfrage nicht an</translation>
    </message>
    <message>
      <source>The model did not answer</source>
      <translation>Das Modell antwortete nicht</translation>
    </message>
    <message>
      <source>The model does not answer in the form of a cell</source>
      <translation>Das Modell antwortet nicht in der Form einer Zelle</translation>
    </message>
    <message>
      <source>The model does not fit into the server's memory</source>
      <translation>Das Modell passt nicht in den Speicher des Servers</translation>
    </message>
    <message>
      <source>The model ended its answer without a message. Ask again.</source>
      <translation>Das Modell beendete seine Antwort ohne Nachricht. Fragen Sie noch einmal.</translation>
    </message>
    <message>
      <source>The model has another address</source>
      <translation>Das Modell hat eine andere Adresse</translation>
    </message>
    <message>
      <source>The model is being loaded</source>
      <translation>Das Modell wird geladen</translation>
    </message>
    <message>
      <source>The model is busy</source>
      <translation>Das Modell ist beschäftigt</translation>
    </message>
    <message>
      <source>The model is overloaded</source>
      <translation>Das Modell ist überlastet</translation>
    </message>
    <message>
      <source>The model keeps repeating the same calls.</source>
      <translation>Das Modell wiederholt immer dieselben Aufrufe.</translation>
    </message>
    <message>
      <source>The model limits your requests</source>
      <translation>Das Modell begrenzt Ihre Anfragen</translation>
    </message>
    <message>
      <source>The model makes one call a turn: searches take more turns.</source>
      <translation>Das Modell macht einen Aufruf je Runde: Suchen brauchen mehr Runden.</translation>
    </message>
    <message>
      <source>The model makes several calls in one turn.</source>
      <translation>Das Modell macht mehrere Aufrufe in einer Runde.</translation>
    </message>
    <message>
      <source>The model overlooked a word at the beginning of {0} tokens: long documents ask too much of it.</source>
      <translation>Das Modell übersah ein Wort am Anfang von {0} Token: Lange Dokumente überfordern es.</translation>
    </message>
    <message>
      <source>The model reports a failure</source>
      <translation>Das Modell meldet einen Fehler</translation>
    </message>
    <message>
      <source>The model sent a damaged compressed answer. Ask again.</source>
      <translation>Das Modell sandte eine beschädigte komprimierte Antwort. Fragen Sie noch einmal.</translation>
    </message>
    <message>
      <source>The model sent a line or an event without end. The answer ends here.</source>
      <translation>Das Modell sandte eine Zeile oder ein Ereignis ohne Ende. Die Antwort endet hier.</translation>
    </message>
    <message>
      <source>The model sent an empty answer</source>
      <translation>Das Modell sandte eine leere Antwort</translation>
    </message>
    <message>
      <source>The model sent an empty message.</source>
      <translation>Das Modell hat eine leere Nachricht geschickt.</translation>
    </message>
    <message>
      <source>The model sent more than {0} MB. The answer ends here.</source>
      <translation>Das Modell sandte mehr als {0} MB. Die Antwort endet hier.</translation>
    </message>
    <message>
      <source>The model took too long</source>
      <translation>Das Modell brauchte zu lange</translation>
    </message>
    <message>
      <source>The model used up its output before it wrote a value. Raise its maximum output, or think less.</source>
      <translation>Das Modell hat seine Ausgabe verbraucht, bevor es einen Wert schrieb. Erhöhen Sie die größte Ausgabe, oder lassen Sie es weniger nachdenken.</translation>
    </message>
    <message>
      <source>The model wrote no answer to a question of the sample library.</source>
      <translation>Das Modell hat auf eine Frage zur Beispielbibliothek keine Antwort geschrieben.</translation>
    </message>
    <message>
      <source>The model wrote no text when asked to count: whether answers arrive word by word was not seen.</source>
      <translation>Das Modell schrieb keinen Text, als es zählen sollte: Ob Antworten Wort für Wort ankommen, war nicht zu sehen.</translation>
    </message>
    <message>
      <source>The model's answer broke off. Try again.</source>
      <translation>Die Antwort des Modells brach ab. Versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>The model's context of {0} tokens is full.</source>
      <translation>Der Kontext des Modells von {0} Token ist voll.</translation>
    </message>
    <message>
      <source>The model's output reached its limit; the answer may be incomplete.</source>
      <translation>Die Ausgabe des Modells hat ihre Grenze erreicht; die Antwort ist vielleicht unvollständig.</translation>
    </message>
    <message>
      <source>The model's process ended twice while it read the question, most likely because the memory did not suffice. Choose a smaller context window, or a smaller model.</source>
      <translation>Der Prozess des Modells endete zweimal, während er die Frage las, wahrscheinlich weil der Speicher nicht ausreichte. Wählen Sie ein kleineres Kontextfenster oder ein kleineres Modell.</translation>
    </message>
    <message>
      <source>The model's process ended unexpectedly, most likely because the memory did not suffice. Close other programs, choose a smaller context window, or a smaller model.</source>
      <translation>Der Prozess des Modells endete unerwartet, wahrscheinlich weil der Speicher nicht ausreichte. Schließen Sie andere Programme, wählen Sie ein kleineres Kontextfenster oder ein kleineres Modell.</translation>
    </message>
    <message>
      <source>The name of a library has no slashes and does not begin with a dot.</source>
      <translation>Der Name einer Bibliothek hat keine Schrägstriche und beginnt nicht mit einem Punkt.</translation>
    </message>
    <message>
      <source>The name {0} cannot be found. Check the address and your network.</source>
      <translation>Der Name {0} ist nicht zu finden. Prüfen Sie die Adresse und Ihr Netz.</translation>
    </message>
    <message>
      <source>The network asks you to sign in</source>
      <translation>Das Netz verlangt eine Anmeldung</translation>
    </message>
    <message>
      <source>The network before {0} asks you to sign in ({1}). Open any web page, sign in, and ask again.</source>
      <translation>Das Netz vor {0} verlangt eine Anmeldung ({1}). Öffnen Sie irgendeine Webseite, melden Sie sich an und fragen Sie noch einmal.</translation>
    </message>
    <message>
      <source>The next request may cost {0}; {1} is left of your limit.</source>
      <translation>Die nächste Anfrage kann {0} kosten; von Ihrer Grenze sind {1} übrig.</translation>
    </message>
    <message>
      <source>The outline has no section: write one a line, as “Heading: question”.</source>
      <translation>Die Gliederung hat keinen Abschnitt: Schreiben Sie je Zeile einen, als „Überschrift: Frage“.</translation>
    </message>
    <message>
      <source>The package of the protocol is not in this build. The released installers have it.</source>
      <translation>Das Paket des Protokolls ist nicht in diesem Programm. Die veröffentlichten Installationsdateien enthalten es.</translation>
    </message>
    <message>
      <source>The package of the protocol is not installed. Install it: {0}</source>
      <translation>Das Paket des Protokolls ist nicht installiert. Installieren Sie es: {0}</translation>
    </message>
    <message>
      <source>The painter received an unknown request.</source>
      <translation>Der Seitenmaler erhielt eine unbekannte Anfrage.</translation>
    </message>
    <message>
      <source>The password or token is missing.</source>
      <translation>Das Passwort oder Token fehlt.</translation>
    </message>
    <message>
      <source>The path of this {0} is longer than this system opens.</source>
      <translation>Der Pfad von {0} ist länger, als dieses System öffnet.</translation>
    </message>
    <message>
      <source>The process of the model could not be started ({0}).</source>
      <translation>Der Prozess des Modells konnte nicht gestartet werden ({0}).</translation>
    </message>
    <message>
      <source>The process that reads this file sent an invalid reply.</source>
      <translation>Der Prozess, der diese Datei liest, sandte eine ungültige Antwort.</translation>
    </message>
    <message>
      <source>The program is closing.</source>
      <translation>Das Programm wird beendet.</translation>
    </message>
    <message>
      <source>The program is set to work offline: it connects to nothing but this computer. See Settings, Privacy.</source>
      <translation>Das Programm arbeitet offline: Es verbindet sich nur mit diesem Computer. Siehe Einstellungen, Datenschutz.</translation>
    </message>
    <message>
      <source>The proxy before {0} asks for a user and a password ({1}). Add them to its address.</source>
      <translation>Der Proxy vor {0} verlangt Benutzer und Passwort ({1}). Fügen Sie sie seiner Adresse hinzu.</translation>
    </message>
    <message>
      <source>The proxy before {0} does not accept the user and password in its address ({1}). Correct them there.</source>
      <translation>Der Proxy vor {0} nimmt Benutzer und Passwort in seiner Adresse nicht an ({1}). Berichtigen Sie sie dort.</translation>
    </message>
    <message>
      <source>The proxy cannot be reached</source>
      <translation>Der Proxy ist nicht erreichbar</translation>
    </message>
    <message>
      <source>The proxy cannot be used</source>
      <translation>Der Proxy kann nicht verwendet werden</translation>
    </message>
    <message>
      <source>The proxy cannot be used ({0}). Check the proxy of this model, or of the system.</source>
      <translation>Der Proxy ist nicht verwendbar ({0}). Prüfen Sie den Proxy dieses Modells oder des Systems.</translation>
    </message>
    <message>
      <source>The proxy refused the connection</source>
      <translation>Der Proxy lehnte die Verbindung ab</translation>
    </message>
    <message>
      <source>The proxy {0} cannot be reached ({1}). {2}</source>
      <translation>Der Proxy {0} ist nicht erreichbar ({1}). {2}</translation>
    </message>
    <message>
      <source>The proxy {0} did not connect to {1} ({2}). {3}</source>
      <translation>Der Proxy {0} hat keine Verbindung zu {1} hergestellt ({2}). {3}</translation>
    </message>
    <message>
      <source>The proxy {0} did not connect to {1} within {2}. Check the proxy of this model, or of the system.</source>
      <translation>Der Proxy {0} hat in {2} keine Verbindung zu {1} hergestellt. Prüfen Sie den Proxy dieses Modells oder des Systems.</translation>
    </message>
    <message>
      <source>The query was interrupted.</source>
      <translation>Die Suche wurde unterbrochen.</translation>
    </message>
    <message>
      <source>The question is empty.</source>
      <translation>Die Frage ist leer.</translation>
    </message>
    <message>
      <source>The recorded run ends here, and there is no model to continue it.</source>
      <translation>Der aufgezeichnete Lauf endet hier, und kein Modell kann ihn fortsetzen.</translation>
    </message>
    <message>
      <source>The request cannot be decoded.</source>
      <translation>Die Anfrage lässt sich nicht lesen.</translation>
    </message>
    <message>
      <source>The request has {0} tokens, more than the {1} of the context window.</source>
      <translation>Die Anfrage hat {0} Tokens, mehr als die {1} des Kontextfensters.</translation>
    </message>
    <message>
      <source>The request is longer than “{0}” at {1} can take ({2}). Lower its context limit in the settings, or load the model with a larger context.</source>
      <translation>Die Anfrage ist länger, als „{0}“ bei {1} annimmt ({2}). Senken Sie seine Kontextgrenze in den Einstellungen, oder laden Sie das Modell mit größerem Kontext.</translation>
    </message>
    <message>
      <source>The request to {0} failed ({1}: {2}).</source>
      <translation>Die Anfrage an {0} ist fehlgeschlagen ({1}: {2}).</translation>
    </message>
    <message>
      <source>The request was stopped.</source>
      <translation>Die Anfrage wurde angehalten.</translation>
    </message>
    <message>
      <source>The request {0} has wrong arguments: {1}</source>
      <translation>Die Anfrage {0} hat falsche Argumente: {1}</translation>
    </message>
    <message>
      <source>The run ended without an answer.</source>
      <translation>Der Lauf endete ohne Antwort.</translation>
    </message>
    <message>
      <source>The safetensors file is damaged or cut short; download it again.</source>
      <translation>Die Safetensors-Datei ist beschädigt oder unvollständig; laden Sie sie erneut herunter.</translation>
    </message>
    <message>
      <source>The second look at this value is wanting; filling the table again asks for it.</source>
      <translation>Der zweite Blick auf diesen Wert steht aus; wird die Tabelle wieder gefüllt, wird er nachgeholt.</translation>
    </message>
    <message>
      <source>The second look failed</source>
      <translation>Der zweite Blick ist gescheitert</translation>
    </message>
    <message>
      <source>The sentence encoder is damaged. {0}</source>
      <translation>Der Satz-Encoder ist beschädigt. {0}</translation>
    </message>
    <message>
      <source>The sentence encoder is damaged: {0} cannot be read ({1}). Add it again, or select another one with “desktop-rag encoder”.</source>
      <translation>Der Satz-Encoder ist beschädigt: {0} kann nicht gelesen werden ({1}). Fügen Sie ihn erneut hinzu oder wählen Sie mit „desktop-rag encoder“ einen anderen.</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; its vectors need new indexes.</source>
      <translation>Der Satz-Encoder wurde erneuert; seine Vektoren brauchen neue Indizes.</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; search by meaning starts over.</source>
      <translation>Der Satz-Encoder wurde erneuert; die Suche nach Bedeutung beginnt von vorn.</translation>
    </message>
    <message>
      <source>The sentence encoder was renewed; until its vectors are ready, those of the earlier one answer.</source>
      <translation>Der Satz-Encoder wurde erneuert; bis seine Vektoren bereit sind, antworten die des früheren.</translation>
    </message>
    <message>
      <source>The server does not tell it; the settings say {0} tokens.</source>
      <translation>Der Server nennt es nicht; in den Einstellungen stehen {0} Token.</translation>
    </message>
    <message>
      <source>The server has {0} tokens, the settings say {1}: set them to {2}.</source>
      <translation>Der Server hat {0} Token, in den Einstellungen stehen {1}: Stellen Sie dort {2} ein.</translation>
    </message>
    <message>
      <source>The server refused a search: {0}</source>
      <translation>Der Server hat eine Suche abgelehnt: {0}</translation>
    </message>
    <message>
      <source>The server refuses tools for this model</source>
      <translation>Der Server lehnt Werkzeuge für dieses Modell ab</translation>
    </message>
    <message>
      <source>The server reports no tokens; they are estimated (marked with ~).</source>
      <translation>Der Server meldet keine Token; sie werden geschätzt (mit ~ gekennzeichnet).</translation>
    </message>
    <message>
      <source>The server reports the tokens of each request.</source>
      <translation>Der Server meldet die Token jeder Anfrage.</translation>
    </message>
    <message>
      <source>The settings say {0}: lower it, or the beginning may be cut off silently.</source>
      <translation>In den Einstellungen stehen {0}: Verringern Sie den Wert, sonst wird vielleicht der Anfang stillschweigend abgeschnitten.</translation>
    </message>
    <message>
      <source>The sheet {0} cannot be read; it was left out.</source>
      <translation>Das Blatt {0} lässt sich nicht lesen; es wurde ausgelassen.</translation>
    </message>
    <message>
      <source>The sheet {0} is damaged; only a part of it was read.</source>
      <translation>Das Blatt {0} ist beschädigt; nur ein Teil davon wurde gelesen.</translation>
    </message>
    <message>
      <source>The store holds other bytes than those that were indexed. Ask whoever runs it.</source>
      <translation>Der Speicher enthält andere Bytes als die eingelesenen. Fragen Sie, wer ihn betreibt.</translation>
    </message>
    <message>
      <source>The store of files {0} does not answer ({1}).</source>
      <translation>Der Dateispeicher {0} antwortet nicht ({1}).</translation>
    </message>
    <message>
      <source>The store of files {0} refuses this user ({1}).</source>
      <translation>Der Dateispeicher {0} weist diesen Benutzer ab ({1}).</translation>
    </message>
    <message>
      <source>The store sent more than a file of the library has. Ask whoever runs it.</source>
      <translation>Der Speicher hat mehr gesendet, als eine Datei der Bibliothek hat. Fragen Sie, wer ihn betreibt.</translation>
    </message>
    <message>
      <source>The system could not read this file: {0}.</source>
      <translation>Das System konnte diese Datei nicht lesen: {0}.</translation>
    </message>
    <message>
      <source>The system does not report changes here ({0})</source>
      <translation>Das System meldet hier keine Änderungen ({0})</translation>
    </message>
    <message>
      <source>The system ran out of memory and ended the indexer. Close other programs, then it goes on where it was.</source>
      <translation>Dem System ging der Speicher aus, und es hat den Indexer beendet. Schließen Sie andere Programme, dann macht er weiter, wo er war.</translation>
    </message>
    <message>
      <source>The system reported an error: {0}</source>
      <translation>Das System meldete einen Fehler: {0}</translation>
    </message>
    <message>
      <source>The table cannot be locked ({0}).</source>
      <translation>Die Tabelle kann nicht gesperrt werden ({0}).</translation>
    </message>
    <message>
      <source>The tables and reports could not be used ({0}).</source>
      <translation>Die Tabellen und Berichte konnten nicht benutzt werden ({0}).</translation>
    </message>
    <message>
      <source>The tables cannot be kept</source>
      <translation>Die Tabellen können nicht aufbewahrt werden</translation>
    </message>
    <message>
      <source>The team's library cannot be reached</source>
      <translation>Die Team-Bibliothek ist nicht erreichbar</translation>
    </message>
    <message>
      <source>The team's library holds a document that cannot be read. Ask whoever runs it.</source>
      <translation>Die Team-Bibliothek enthält ein Dokument, das nicht gelesen werden kann. Fragen Sie, wer sie betreibt.</translation>
    </message>
    <message>
      <source>The team's library refuses this user</source>
      <translation>Die Teambibliothek lässt diesen Benutzer nicht zu</translation>
    </message>
    <message>
      <source>The team's library was last brought up to date at {0}; newer changes may be missing.</source>
      <translation>Die Team-Bibliothek wurde zuletzt am {0} aktualisiert; neuere Änderungen können fehlen.</translation>
    </message>
    <message>
      <source>The team's server answered a search in an unknown way ({0}).</source>
      <translation>Der Server des Teams hat eine Suche auf unbekannte Weise beantwortet ({0}).</translation>
    </message>
    <message>
      <source>The team's server does not accept this user. Check the password, token or certificate.</source>
      <translation>Der Server des Teams lässt diesen Benutzer nicht zu. Prüfen Sie Passwort, Token oder Zertifikat.</translation>
    </message>
    <message>
      <source>The team's server is overloaded or starting ({0}). Try again in a moment.</source>
      <translation>Der Team-Server ist überlastet oder startet gerade ({0}). Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
      <source>The team's server is overloaded; the rest is sent later.</source>
      <translation>Der Team-Server ist überlastet; der Rest wird später gesendet.</translation>
    </message>
    <message>
      <source>The team's server refused a request ({0}: {1}).</source>
      <translation>Der Team-Server hat eine Anfrage abgelehnt ({0}: {1}).</translation>
    </message>
    <message>
      <source>The team's server sent more than any answer has. Ask whoever runs it.</source>
      <translation>Der Server des Teams hat mehr gesendet, als eine Antwort enthält. Fragen Sie die Person, die ihn betreibt.</translation>
    </message>
    <message>
      <source>The team's server {0} does not answer ({1}). Check the network, or ask whoever runs it.</source>
      <translation>Der Server des Teams {0} antwortet nicht ({1}). Prüfen Sie das Netzwerk, oder fragen Sie, wer ihn betreibt.</translation>
    </message>
    <message>
      <source>The team's servers {0} do not answer (the last: {1}). Check the network, or ask whoever runs them.</source>
      <translation>Die Server des Teams {0} antworten nicht (der letzte: {1}). Prüfen Sie das Netzwerk, oder fragen Sie, wer sie betreibt.</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised ({0}).</source>
      <translation>Der Text dieser Seite konnte nicht erkannt werden ({0}).</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised.</source>
      <translation>Der Text dieser Seite konnte nicht erkannt werden.</translation>
    </message>
    <message>
      <source>The text of this page could not be recognised: it {0}.</source>
      <translation>Der Text dieser Seite konnte nicht erkannt werden: {0}.</translation>
    </message>
    <message>
      <source>The text of {0} of this book is damaged and was left out.</source>
      <translation>Der Text von {0} dieses Buchs ist beschädigt und wurde ausgelassen.</translation>
    </message>
    <message>
      <source>The user and the password are not part of the address: give them apart from it.</source>
      <translation>Benutzer und Passwort gehören nicht in die Adresse: Geben Sie sie getrennt davon an.</translation>
    </message>
    <message>
      <source>The vectors of {0} are not numbers; its files are damaged.</source>
      <translation>Die Vektoren von {0} sind keine Zahlen; die Dateien sind beschädigt.</translation>
    </message>
    <message>
      <source>The weights of {0} are not those of its configuration; download it again.</source>
      <translation>Die Gewichte von {0} passen nicht zur Konfiguration; laden Sie es erneut herunter.</translation>
    </message>
    <message>
      <source>The words of this link have characters that cannot be shown.</source>
      <translation>Die Wörter dieses Links enthalten Zeichen, die nicht angezeigt werden können.</translation>
    </message>
    <message>
      <source>There are more folders than this system watches at once</source>
      <translation>Es gibt mehr Ordner, als dieses System zugleich überwacht</translation>
    </message>
    <message>
      <source>There are too many brackets inside each other.</source>
      <translation>Zu viele Klammern liegen ineinander.</translation>
    </message>
    <message>
      <source>There is a library called “{0}” already.</source>
      <translation>Es gibt schon eine Bibliothek namens „{0}“.</translation>
    </message>
    <message>
      <source>There is a library in {0} already. Open it instead.</source>
      <translation>In {0} gibt es schon eine Bibliothek. Öffnen Sie diese.</translation>
    </message>
    <message>
      <source>There is an encoder “{0}” already. Remove it first, or add this one under another --name.</source>
      <translation>Es gibt schon einen Encoder „{0}“. Entfernen Sie ihn zuerst, oder fügen Sie diesen unter einem anderen --name hinzu.</translation>
    </message>
    <message>
      <source>There is no condition “{0}”. Choose one of: {1}.</source>
      <translation>Es gibt keine Bedingung „{0}“. Wählen Sie eine von: {1}.</translation>
    </message>
    <message>
      <source>There is no encoder “{0}” here. There are {1}; “desktop-rag encoder add” adds others.</source>
      <translation>Hier gibt es keinen Encoder „{0}“. Es gibt {1}; „desktop-rag encoder add“ fügt andere hinzu.</translation>
    </message>
    <message>
      <source>There is no field “{0}:”. Did you mean “{1}:”?</source>
      <translation>Es gibt kein Feld „{0}:“. Meinten Sie „{1}:“?</translation>
    </message>
    <message>
      <source>There is no field “{0}:”. The fields are {1}.</source>
      <translation>Es gibt kein Feld „{0}:“. Die Felder sind {1}.</translation>
    </message>
    <message>
      <source>There is no keyword index yet.</source>
      <translation>Es gibt noch keinen Wortindex.</translation>
    </message>
    <message>
      <source>There is no library called “{0}”.</source>
      <translation>Es gibt keine Bibliothek namens „{0}“.</translation>
    </message>
    <message>
      <source>There is no library called “{0}”. There are: {1}. A folder is written like .{2}{3}</source>
      <translation>Es gibt keine Bibliothek namens „{0}“. Es gibt: {1}. Ein Ordner wird so geschrieben: .{2}{3}</translation>
    </message>
    <message>
      <source>There is no library in {0} yet. Make one: desktop-rag index FOLDER</source>
      <translation>In {0} gibt es noch keine Bibliothek. Legen Sie eine an: desktop-rag index FOLDER</translation>
    </message>
    <message>
      <source>There is no library in {0}.</source>
      <translation>In {0} gibt es keine Bibliothek.</translation>
    </message>
    <message>
      <source>There is no model called “{0}”. Known are: {1}.</source>
      <translation>Es gibt kein Modell namens „{0}“. Bekannt sind: {1}.</translation>
    </message>
    <message>
      <source>There is no program “{0}” here. Known are: {1}.</source>
      <translation>Es gibt hier kein Programm „{0}“. Bekannt sind: {1}.</translation>
    </message>
    <message>
      <source>There is no request {0}.</source>
      <translation>Es gibt keine Anfrage {0}.</translation>
    </message>
    <message>
      <source>There is no secure connection to the team's server {0} ({1}). If it has no TLS, its address begins with http://; if the system does not know the authority of its certificate, name that: its file in “Add team library…”, or `--ca-file FILE` on the command line.</source>
      <translation>Es kommt keine sichere Verbindung zum Server des Teams {0} zustande ({1}). Hat er kein TLS, beginnt seine Adresse mit http://; kennt das System die Zertifizierungsstelle seines Zertifikats nicht, geben Sie sie an: ihre Datei in „Team-Bibliothek hinzufügen…“ oder `--ca-file DATEI` auf der Kommandozeile.</translation>
    </message>
    <message>
      <source>There is no such model</source>
      <translation>Dieses Modell gibt es dort nicht</translation>
    </message>
    <message>
      <source>There is no such team library</source>
      <translation>Diese Team-Bibliothek gibt es nicht</translation>
    </message>
    <message>
      <source>There is no such team library on the server. Check the name at the end of its address.</source>
      <translation>Auf dem Server gibt es diese Team-Bibliothek nicht. Prüfen Sie den Namen am Ende ihrer Adresse.</translation>
    </message>
    <message>
      <source>There is no toolkit “{0}”. Choose one of: {1}. `desktop-rag ask --toolkit help` describes each.</source>
      <translation>Es gibt kein Toolkit „{0}“. Wählen Sie eines von: {1}. `desktop-rag ask --toolkit help` beschreibt sie.</translation>
    </message>
    <message>
      <source>There is no {0} {1}. Nothing was changed.</source>
      <translation>Es gibt {0} {1} nicht. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>There is no {0} “{1}”. Choose one of: {2}.</source>
      <translation>Es gibt kein {0} „{1}“. Wählen Sie eines von: {2}.</translation>
    </message>
    <message>
      <source>There is not enough memory</source>
      <translation>Der Speicher reicht nicht</translation>
    </message>
    <message>
      <source>There is not enough memory for the sentence encoder now. Close other programs.</source>
      <translation>Der Speicher reicht gerade nicht für den Satz-Encoder. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory for this now. Close other programs.</source>
      <translation>Der Arbeitsspeicher reicht dafür gerade nicht. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory to check the library. Close other programs.</source>
      <translation>Der Speicher reicht nicht, um die Bibliothek zu prüfen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory to open the library now. Close other programs.</source>
      <translation>Der Arbeitsspeicher reicht gerade nicht, um die Bibliothek zu öffnen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory to read files now. Close other programs.</source>
      <translation>Der Arbeitsspeicher reicht im Augenblick nicht, um Dateien zu lesen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory to use {0}. Close other programs.</source>
      <translation>Der Speicher reicht nicht, um {0} zu benutzen. Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is not enough memory: the keyword index could not be {0}. Close other programs.</source>
      <translation>Der Speicher reicht nicht: Der Wortindex kann nicht benutzt werden ({0}). Schließen Sie andere Programme.</translation>
    </message>
    <message>
      <source>There is too little space in {0}: {1} MB are needed.</source>
      <translation>In {0} ist zu wenig Platz: {1} MB werden gebraucht.</translation>
    </message>
    <message>
      <source>These are {0} columns; a table has at most {1}.</source>
      <translation>Das sind {0} Spalten; eine Tabelle hat höchstens {1}.</translation>
    </message>
    <message>
      <source>These are {0} documents; a table has at most {1}. Choose a folder, a type or a time.</source>
      <translation>Das sind {0} Dokumente; eine Tabelle hat höchstens {1}. Wählen Sie einen Ordner, einen Typ oder eine Zeit.</translation>
    </message>
    <message>
      <source>These are {0} sections; a report has at most {1}.</source>
      <translation>Das sind {0} Abschnitte; ein Bericht hat höchstens {1}.</translation>
    </message>
    <message>
      <source>These settings cannot be used</source>
      <translation>Diese Einstellungen sind nicht verwendbar</translation>
    </message>
    <message>
      <source>These settings of a team's library cannot be used</source>
      <translation>Diese Einstellungen einer Team-Bibliothek sind nicht verwendbar</translation>
    </message>
    <message>
      <source>They were written by a newer version of this program. Please update.</source>
      <translation>Sie stammen von einer neueren Version dieses Programms. Bitte aktualisieren Sie es.</translation>
    </message>
    <message>
      <source>This .{0} file has no pages.</source>
      <translation>Diese .{0}-Datei hat keine Seiten.</translation>
    </message>
    <message>
      <source>This .{0} file is damaged or has the wrong suffix.</source>
      <translation>Diese .{0}-Datei ist beschädigt oder hat die falsche Endung.</translation>
    </message>
    <message>
      <source>This Outlook data file has high encryption; export its folders to a new file without.</source>
      <translation>Diese Outlook-Datendatei ist stark verschlüsselt; exportieren Sie ihre Ordner in eine neue Datei ohne Verschlüsselung.</translation>
    </message>
    <message>
      <source>This PDF is damaged and cannot be opened.</source>
      <translation>Diese PDF-Datei ist beschädigt und lässt sich nicht öffnen.</translation>
    </message>
    <message>
      <source>This PDF is damaged: none of its pages can be found.</source>
      <translation>Diese PDF-Datei ist beschädigt: keine ihrer Seiten ist zu finden.</translation>
    </message>
    <message>
      <source>This PDF is damaged: none of its pages can be read.</source>
      <translation>Diese PDF-Datei ist beschädigt: Keine ihrer Seiten lässt sich lesen.</translation>
    </message>
    <message>
      <source>This PDF is damaged: nothing can be read on its {0}.</source>
      <translation>Diese PDF-Datei ist beschädigt: Auf {0} ist nichts lesbar.</translation>
    </message>
    <message>
      <source>This PDF is empty: nothing is drawn on its {0}.</source>
      <translation>Diese PDF-Datei ist leer: Auf {0} ist nichts gezeichnet.</translation>
    </message>
    <message>
      <source>This PDF is protected by a password; save a copy without one to have it read.</source>
      <translation>Diese PDF-Datei ist durch ein Passwort geschützt; speichern Sie eine Kopie ohne Passwort, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This archive has more than {0} files; the rest was left out.</source>
      <translation>Dieses Archiv hat mehr als {0} Dateien; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This archive is damaged or not a 7z archive.</source>
      <translation>Dieses Archiv ist beschädigt oder kein 7z-Archiv.</translation>
    </message>
    <message>
      <source>This archive is damaged or not a ZIP archive.</source>
      <translation>Dieses Archiv ist beschädigt oder kein ZIP-Archiv.</translation>
    </message>
    <message>
      <source>This archive is damaged or of an unsupported kind.</source>
      <translation>Dieses Archiv ist beschädigt oder von einer nicht unterstützten Art.</translation>
    </message>
    <message>
      <source>This archive is damaged or protected by a password.</source>
      <translation>Dieses Archiv ist beschädigt oder durch ein Passwort geschützt.</translation>
    </message>
    <message>
      <source>This archive is damaged or protected by a password; only its first part was read.</source>
      <translation>Dieses Archiv ist beschädigt oder durch ein Passwort geschützt; nur sein erster Teil wurde gelesen.</translation>
    </message>
    <message>
      <source>This archive is damaged; only the files that could be recovered were read.</source>
      <translation>Dieses Archiv ist beschädigt; nur die Dateien, die sich retten ließen, wurden gelesen.</translation>
    </message>
    <message>
      <source>This archive is damaged; only the part before the damage was read.</source>
      <translation>Dieses Archiv ist beschädigt; nur der Teil vor der Beschädigung wurde gelesen.</translation>
    </message>
    <message>
      <source>This archive is empty.</source>
      <translation>Dieses Archiv ist leer.</translation>
    </message>
    <message>
      <source>This archive is protected by a password.</source>
      <translation>Dieses Archiv ist durch ein Passwort geschützt.</translation>
    </message>
    <message>
      <source>This archive is split into several files; join them to have it read.</source>
      <translation>Dieses Archiv ist auf mehrere Dateien verteilt; fügen Sie sie zusammen, damit es gelesen wird.</translation>
    </message>
    <message>
      <source>This benchmark cannot be run</source>
      <translation>Dieser Benchmark lässt sich nicht ausführen</translation>
    </message>
    <message>
      <source>This bracket closes nothing.</source>
      <translation>Diese Klammer schließt nichts.</translation>
    </message>
    <message>
      <source>This bracket is never closed.</source>
      <translation>Diese Klammer wird nie geschlossen.</translation>
    </message>
    <message>
      <source>This call failed inside Desktop RAG. Send it again; if it fails again, please report it with its arguments.</source>
      <translation>Dieser Aufruf ist in Desktop RAG fehlgeschlagen. Senden Sie ihn noch einmal; schlägt er wieder fehl, melden Sie ihn bitte mit seinen Argumenten.</translation>
    </message>
    <message>
      <source>This cannot be done</source>
      <translation>Das geht nicht</translation>
    </message>
    <message>
      <source>This computer offers no keychain that could know the password or token of the team's library. Give it in the environment variable {0}.</source>
      <translation>Dieser Computer bietet keinen Schlüsselbund, der das Passwort oder Token der Team-Bibliothek kennen könnte. Geben Sie es in der Umgebungsvariablen {0} an.</translation>
    </message>
    <message>
      <source>This computer offers no keychain, so keys are kept in memory and are forgotten when the program ends. On Linux, a desktop keyring such as GNOME Keyring or KWallet provides one.</source>
      <translation>Dieser Computer bietet keinen Schlüsselbund; Schlüssel bleiben deshalb im Arbeitsspeicher und werden vergessen, wenn das Programm endet. Unter Linux bietet ihn ein Schlüsselbund der Arbeitsumgebung wie GNOME Keyring oder KWallet.</translation>
    </message>
    <message>
      <source>This computer offers no keychain, so the password of a team library cannot be kept for its searches. Install one, such as GNOME Keyring or KWallet, or start the program with the password in DESKTOP_RAG_TEAM_PASSWORD.</source>
      <translation>Dieser Computer bietet keinen Schlüsselbund, darum kann das Passwort einer Team-Bibliothek nicht für ihre Suchen aufbewahrt werden. Installieren Sie einen, etwa GNOME-Schlüsselbund oder KWallet, oder starten Sie das Programm mit dem Passwort in DESKTOP_RAG_TEAM_PASSWORD.</translation>
    </message>
    <message>
      <source>This document is never sent.</source>
      <translation>Dieses Dokument wird nie gesendet.</translation>
    </message>
    <message>
      <source>This document is no longer in the library.</source>
      <translation>Dieses Dokument ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
      <source>This e-book contains no text, only pictures.</source>
      <translation>Dieses E-Book enthält keinen Text, nur Bilder.</translation>
    </message>
    <message>
      <source>This e-book contains no text.</source>
      <translation>Dieses E-Book enthält keinen Text.</translation>
    </message>
    <message>
      <source>This e-book is copy-protected by its shop, and cannot be read here.</source>
      <translation>Dieses E-Book ist von seinem Händler kopiergeschützt und kann hier nicht gelesen werden.</translation>
    </message>
    <message>
      <source>This e-book is damaged: its pages cannot be read.</source>
      <translation>Dieses E-Book ist beschädigt: seine Seiten können nicht gelesen werden.</translation>
    </message>
    <message>
      <source>This e-book is packed in a way that is not read; convert it to EPUB, as Calibre does.</source>
      <translation>Dieses E-Book ist auf eine Weise gepackt, die nicht gelesen wird; wandeln Sie es in EPUB um, etwa mit Calibre.</translation>
    </message>
    <message>
      <source>This e-book is protected against copying (DRM); only the reader it was bought for can open it.</source>
      <translation>Dieses E-Book ist kopiergeschützt (DRM); nur das Lesegerät, für das es gekauft wurde, kann es öffnen.</translation>
    </message>
    <message>
      <source>This file cannot be read</source>
      <translation>Diese Datei kann nicht gelesen werden</translation>
    </message>
    <message>
      <source>This file cannot be read ({0}).</source>
      <translation>Diese Datei lässt sich nicht lesen ({0}).</translation>
    </message>
    <message>
      <source>This file cannot be read: {0}.</source>
      <translation>Diese Datei kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
      <source>This file changed while it was read; it will be read again.</source>
      <translation>Diese Datei hat sich beim Lesen geändert; sie wird noch einmal gelesen.</translation>
    </message>
    <message>
      <source>This file contains far more text than its size allows.</source>
      <translation>Diese Datei enthält weit mehr Text, als ihre Größe erlaubt.</translation>
    </message>
    <message>
      <source>This file contains more text than can be read; the rest of it was left out.</source>
      <translation>Diese Datei enthält mehr Text, als gelesen werden kann; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This file contains no text.</source>
      <translation>Diese Datei enthält keinen Text.</translation>
    </message>
    <message>
      <source>This file crashed the reader</source>
      <translation>Beim Lesen dieser Datei ist der Leser abgestürzt</translation>
    </message>
    <message>
      <source>This file declares XML entities, which no workbook does; it was not read.</source>
      <translation>Diese Datei deklariert XML-Entitäten, was keine Arbeitsmappe tut; sie wurde nicht gelesen.</translation>
    </message>
    <message>
      <source>This file has more than {0} parts; the rest was left out.</source>
      <translation>Diese Datei hat mehr als {0} Teile; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This file has no text, only white space.</source>
      <translation>Diese Datei hat keinen Text, nur Leerraum.</translation>
    </message>
    <message>
      <source>This file has {0} MB; files over {1} MB are not read.</source>
      <translation>Diese Datei hat {0} MB; Dateien über {1} MB werden nicht gelesen.</translation>
    </message>
    <message>
      <source>This file holds only a signature, not what was signed.</source>
      <translation>Diese Datei enthält nur eine Signatur, nicht das Signierte.</translation>
    </message>
    <message>
      <source>This file is a ZIP archive; name it .fb2.zip to have it read.</source>
      <translation>Diese Datei ist ein ZIP-Archiv; nennen Sie sie .fb2.zip, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This file is damaged and cannot be unpacked.</source>
      <translation>Diese Datei ist beschädigt und lässt sich nicht entpacken.</translation>
    </message>
    <message>
      <source>This file is damaged or a calendar without entries.</source>
      <translation>Diese Datei ist beschädigt oder ein Kalender ohne Einträge.</translation>
    </message>
    <message>
      <source>This file is damaged or an address book without contacts.</source>
      <translation>Diese Datei ist beschädigt oder ein Adressbuch ohne Kontakte.</translation>
    </message>
    <message>
      <source>This file is damaged or not a DjVu book.</source>
      <translation>Diese Datei ist beschädigt oder kein DjVu-Buch.</translation>
    </message>
    <message>
      <source>This file is damaged or not a FictionBook.</source>
      <translation>Diese Datei ist beschädigt oder kein FictionBook.</translation>
    </message>
    <message>
      <source>This file is damaged or not a PDF.</source>
      <translation>Diese Datei ist beschädigt oder keine PDF-Datei.</translation>
    </message>
    <message>
      <source>This file is damaged or not a PowerPoint file.</source>
      <translation>Diese Datei ist beschädigt oder keine PowerPoint-Datei.</translation>
    </message>
    <message>
      <source>This file is damaged or not a Word file.</source>
      <translation>Diese Datei ist beschädigt oder keine Word-Datei.</translation>
    </message>
    <message>
      <source>This file is damaged or not a drawing.</source>
      <translation>Diese Datei ist beschädigt oder keine Zeichnung.</translation>
    </message>
    <message>
      <source>This file is damaged or not a file of Hangul Word Processor.</source>
      <translation>Diese Datei ist beschädigt oder keine Datei von Hangul Word Processor.</translation>
    </message>
    <message>
      <source>This file is damaged or not a help book.</source>
      <translation>Diese Datei ist beschädigt oder kein Hilfebuch.</translation>
    </message>
    <message>
      <source>This file is damaged or not a mail.</source>
      <translation>Diese Datei ist beschädigt oder keine E-Mail.</translation>
    </message>
    <message>
      <source>This file is damaged or not a notebook.</source>
      <translation>Diese Datei ist beschädigt oder kein Notizbuch.</translation>
    </message>
    <message>
      <source>This file is damaged or not a saved web page.</source>
      <translation>Diese Datei ist beschädigt oder keine gespeicherte Webseite.</translation>
    </message>
    <message>
      <source>This file is damaged or not a signed mail or file.</source>
      <translation>Diese Datei ist beschädigt oder keine signierte E-Mail oder Datei.</translation>
    </message>
    <message>
      <source>This file is damaged or not a workbook.</source>
      <translation>Diese Datei ist beschädigt oder keine Arbeitsmappe.</translation>
    </message>
    <message>
      <source>This file is damaged or not an Outlook data file.</source>
      <translation>Diese Datei ist beschädigt oder keine Outlook-Datendatei.</translation>
    </message>
    <message>
      <source>This file is damaged or not an Outlook mail.</source>
      <translation>Diese Datei ist beschädigt oder keine Outlook-Mail.</translation>
    </message>
    <message>
      <source>This file is damaged or not in Rich Text Format.</source>
      <translation>Diese Datei ist beschädigt oder nicht im Rich-Text-Format.</translation>
    </message>
    <message>
      <source>This file is damaged or not {0}.</source>
      <translation>Diese Datei ist beschädigt oder etwas anderes als {0}.</translation>
    </message>
    <message>
      <source>This file is damaged or of an unsupported kind.</source>
      <translation>Diese Datei ist beschädigt oder von einer nicht unterstützten Art.</translation>
    </message>
    <message>
      <source>This file is damaged, or not what its name says.</source>
      <translation>Diese Datei ist beschädigt oder nicht das, was ihr Name sagt.</translation>
    </message>
    <message>
      <source>This file is damaged; only a part of it was read.</source>
      <translation>Diese Datei ist beschädigt; nur ein Teil davon wurde gelesen.</translation>
    </message>
    <message>
      <source>This file is empty.</source>
      <translation>Diese Datei ist leer.</translation>
    </message>
    <message>
      <source>This file is listed in its folder but cannot be opened.</source>
      <translation>Diese Datei steht in ihrem Ordner, lässt sich aber nicht öffnen.</translation>
    </message>
    <message>
      <source>This file is locked for distribution; save it as .hwpx without the lock to have it read.</source>
      <translation>Diese Datei ist für die Weitergabe gesperrt; speichern Sie sie ohne die Sperre als .hwpx, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This file is nested too deeply; the rest of it was left out.</source>
      <translation>Diese Datei ist zu tief verschachtelt; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This file is not a mailbox.</source>
      <translation>Diese Datei ist kein Postfach.</translation>
    </message>
    <message>
      <source>This file is protected by a password.</source>
      <translation>Diese Datei ist durch ein Passwort geschützt.</translation>
    </message>
    <message>
      <source>This file is very large; the rest of it was left out.</source>
      <translation>Diese Datei ist sehr groß; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This file needs {0}, and the installed one cannot be used; convert it to PDF.</source>
      <translation>Diese Datei braucht {0}, doch das installierte lässt sich nicht verwenden; wandeln Sie sie in PDF um.</translation>
    </message>
    <message>
      <source>This file unpacks to far more than its size; the rest of it was left out.</source>
      <translation>Diese Datei wird entpackt um ein Vielfaches größer; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This file was saved by Hangul Word Processor 3; save it as .hwpx to have it read.</source>
      <translation>Diese Datei wurde mit Hangul Word Processor 3 gespeichert; speichern Sie sie als .hwpx, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This file was saved by PowerPoint 4 or earlier; save it as .pptx to have it read.</source>
      <translation>Diese Datei stammt aus PowerPoint 4 oder früher; speichern Sie sie als .pptx, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This file was saved by Word for DOS or an early Word for Macintosh; save it as .docx to have it read.</source>
      <translation>Diese Datei stammt aus Word für DOS oder einem frühen Word für Macintosh; speichern Sie sie als .docx, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This folder has been erased from the library. Add it again.</source>
      <translation>Dieser Ordner wurde aus der Bibliothek gelöscht. Nehmen Sie ihn erneut auf.</translation>
    </message>
    <message>
      <source>This folder is no longer in the library.</source>
      <translation>Dieser Ordner ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
      <source>This folder is not there now</source>
      <translation>Dieser Ordner ist gerade nicht da</translation>
    </message>
    <message>
      <source>This has cost {0}. What is written is kept; it can go on.</source>
      <translation>Dies hat {0} gekostet. Das Geschriebene bleibt; es kann weitergehen.</translation>
    </message>
    <message>
      <source>This has taken {0} minutes. What is written is kept; it can go on.</source>
      <translation>Dies hat {0} Minuten gedauert. Das Geschriebene bleibt; es kann weitergehen.</translation>
    </message>
    <message>
      <source>This has used {0} tokens of {1}. What is written is kept; it can go on.</source>
      <translation>Dies hat {0} von {1} Token verbraucht. Das Geschriebene bleibt; es kann weitergehen.</translation>
    </message>
    <message>
      <source>This help book contains no text.</source>
      <translation>Dieses Hilfebuch enthält keinen Text.</translation>
    </message>
    <message>
      <source>This is a binary file, not a text file.</source>
      <translation>Das ist eine Binärdatei, keine Textdatei.</translation>
    </message>
    <message>
      <source>This is a team library: its files are read, tried again and checked on the computer that writes it. Ask whoever runs it.</source>
      <translation>Dies ist eine Team-Bibliothek: Ihre Dateien werden auf dem Computer gelesen, erneut versucht und geprüft, der sie schreibt. Fragen Sie, wer sie betreibt.</translation>
    </message>
    <message>
      <source>This is no desktop-rag:// link that can be read.</source>
      <translation>Das ist kein lesbarer desktop-rag://-Link.</translation>
    </message>
    <message>
      <source>This is no presentation of Keynote. It may hold a key, and is not read.</source>
      <translation>Das ist keine Keynote-Präsentation. Die Datei enthält vielleicht einen Schlüssel und wird nicht gelesen.</translation>
    </message>
    <message>
      <source>This is no valid pattern.</source>
      <translation>Das ist kein gültiges Muster.</translation>
    </message>
    <message>
      <source>This is not a sentence encoder: model.onnx needs the inputs input_ids and attention_mask and one of the outputs {0}; it has {1} → {2}.</source>
      <translation>Das ist kein Satz-Encoder: model.onnx braucht die Eingaben input_ids und attention_mask und eine der Ausgaben {0}; es hat {1} → {2}.</translation>
    </message>
    <message>
      <source>This is the only library. Make another one first.</source>
      <translation>Das ist die einzige Bibliothek. Legen Sie zuerst eine andere an.</translation>
    </message>
    <message>
      <source>This is {0}, not a text file.</source>
      <translation>Das ist {0}, keine Textdatei.</translation>
    </message>
    <message>
      <source>This library is empty. Add a folder first.</source>
      <translation>Diese Bibliothek ist leer. Nehmen Sie zuerst einen Ordner auf.</translation>
    </message>
    <message>
      <source>This library was closed. Open it again.</source>
      <translation>Diese Bibliothek wurde geschlossen. Öffnen Sie sie erneut.</translation>
    </message>
    <message>
      <source>This link cannot be followed</source>
      <translation>Diesem Link kann nicht gefolgt werden</translation>
    </message>
    <message>
      <source>This link cannot be read.</source>
      <translation>Dieser Link ist nicht lesbar.</translation>
    </message>
    <message>
      <source>This link has no words.</source>
      <translation>Dieser Link enthält keine Wörter.</translation>
    </message>
    <message>
      <source>This link is too long.</source>
      <translation>Dieser Link ist zu lang.</translation>
    </message>
    <message>
      <source>This link names no file.</source>
      <translation>Dieser Link nennt keine Datei.</translation>
    </message>
    <message>
      <source>This link names something twice.</source>
      <translation>Dieser Link nennt etwas doppelt.</translation>
    </message>
    <message>
      <source>This mail contains no text.</source>
      <translation>Diese E-Mail enthält keinen Text.</translation>
    </message>
    <message>
      <source>This mail is nested too deeply to be read.</source>
      <translation>Diese E-Mail ist zu tief verschachtelt, um gelesen zu werden.</translation>
    </message>
    <message>
      <source>This mail or file is encrypted; save it decrypted to have it read.</source>
      <translation>Diese E-Mail oder Datei ist verschlüsselt; speichern Sie sie entschlüsselt, damit sie gelesen wird.</translation>
    </message>
    <message>
      <source>This mailbox contains no mails.</source>
      <translation>Dieses Postfach enthält keine E-Mails.</translation>
    </message>
    <message>
      <source>This model cannot run on this computer</source>
      <translation>Dieses Modell kann auf diesem Computer nicht ausgeführt werden</translation>
    </message>
    <message>
      <source>This model cannot use tools</source>
      <translation>Dieses Modell kann keine Werkzeuge verwenden</translation>
    </message>
    <message>
      <source>This model does not accept tools, which the search needs. Choose another one if you can.</source>
      <translation>Dieses Modell nimmt keine Werkzeuge an, die die Suche braucht. Wählen Sie nach Möglichkeit ein anderes.</translation>
    </message>
    <message>
      <source>This needs a language model: connect one. Without it, documents and passages can only be shown as they are.</source>
      <translation>Dafür ist ein Sprachmodell nötig: Verbinden Sie eines. Ohne ein Modell lassen sich Dokumente und Stellen nur zeigen, wie sie sind.</translation>
    </message>
    <message>
      <source>This notebook is empty.</source>
      <translation>Dieses Notebook ist leer.</translation>
    </message>
    <message>
      <source>This page contains no text.</source>
      <translation>Diese Seite enthält keinen Text.</translation>
    </message>
    <message>
      <source>This page does not exist any more.</source>
      <translation>Diese Seite gibt es nicht mehr.</translation>
    </message>
    <message>
      <source>This page is damaged and cannot be shown ({0}).</source>
      <translation>Diese Seite ist beschädigt und kann nicht angezeigt werden ({0}).</translation>
    </message>
    <message>
      <source>This page is nested too deeply; the rest of it was left out.</source>
      <translation>Diese Seite ist zu tief verschachtelt; der Rest wurde ausgelassen.</translation>
    </message>
    <message>
      <source>This passage is no longer in the library. Search again.</source>
      <translation>Diese Stelle ist nicht mehr in der Bibliothek. Suchen Sie noch einmal.</translation>
    </message>
    <message>
      <source>This picture is damaged or of an unsupported kind.</source>
      <translation>Dieses Bild ist beschädigt oder von einer nicht unterstützten Art.</translation>
    </message>
    <message>
      <source>This query cannot be understood</source>
      <translation>Diese Suche ist nicht verständlich</translation>
    </message>
    <message>
      <source>This query has more than {0} words.</source>
      <translation>Diese Suche hat mehr als {0} Wörter.</translation>
    </message>
    <message>
      <source>This quotation mark is never closed.</source>
      <translation>Dieses Anführungszeichen wird nie geschlossen.</translation>
    </message>
    <message>
      <source>This range ends before it begins.</source>
      <translation>Dieser Bereich endet, bevor er beginnt.</translation>
    </message>
    <message>
      <source>This recording has no metadata.</source>
      <translation>Diese Aufnahme hat keine Metadaten.</translation>
    </message>
    <message>
      <source>This recording is damaged or of an unsupported kind.</source>
      <translation>Diese Aufnahme ist beschädigt oder von einer nicht unterstützten Art.</translation>
    </message>
    <message>
      <source>This recording is damaged.</source>
      <translation>Diese Aufnahme ist beschädigt.</translation>
    </message>
    <message>
      <source>This report was deleted.</source>
      <translation>Dieser Bericht wurde gelöscht.</translation>
    </message>
    <message>
      <source>This sentence encoder does not declare the length of its vectors (its output shape).</source>
      <translation>Dieser Satz-Encoder gibt die Länge seiner Vektoren nicht an (die Form seiner Ausgabe).</translation>
    </message>
    <message>
      <source>This standing question was removed.</source>
      <translation>Diese stehende Frage wurde entfernt.</translation>
    </message>
    <message>
      <source>This system reports no changes now ({0})</source>
      <translation>Dieses System meldet zurzeit keine Änderungen ({0})</translation>
    </message>
    <message>
      <source>This table was deleted.</source>
      <translation>Diese Tabelle wurde gelöscht.</translation>
    </message>
    <message>
      <source>This user may not do that in the team's library. Ask whoever runs it for the role.</source>
      <translation>Dieser Benutzer darf das in der Team-Bibliothek nicht. Bitten Sie, wer sie betreibt, um die Rolle.</translation>
    </message>
    <message>
      <source>This was not found in your documents.</source>
      <translation>Dies wurde in Ihren Dokumenten nicht gefunden.</translation>
    </message>
    <message>
      <source>This {0} cannot be opened: {1}.</source>
      <translation>{0} lässt sich nicht öffnen: {1}.</translation>
    </message>
    <message>
      <source>To read {0} tokens it would need about {1} seconds: not tried.</source>
      <translation>Für {0} Token brauchte es etwa {1} Sekunden: nicht probiert.</translation>
    </message>
    <message>
      <source>Token count</source>
      <translation>Tokenzählung</translation>
    </message>
    <message>
      <source>Try again in a while.</source>
      <translation>Versuchen Sie es in einer Weile erneut.</translation>
    </message>
    <message>
      <source>Two columns ask “{0}”, as {1} and as {2}. Remove one of them.</source>
      <translation>Zwei Spalten fragen „{0}“, als {1} und als {2}. Entfernen Sie eine davon.</translation>
    </message>
    <message>
      <source>Two of the values of “{0}” are the same.</source>
      <translation>Zwei der Werte von „{0}“ sind gleich.</translation>
    </message>
    <message>
      <source>Visio files from before 2013 are not read yet; save them as .vsdx, or export them as PDF</source>
      <translation>Visio-Dateien von vor 2013 werden noch nicht gelesen; speichern Sie sie als .vsdx oder exportieren Sie sie als PDF</translation>
    </message>
    <message>
      <source>Web pages</source>
      <translation>Webseiten</translation>
    </message>
    <message>
      <source>What is asked for was not recognised in any quotation together with {0}.</source>
      <translation>Das Gefragte wurde in keinem Zitat zusammen mit {0} erkannt.</translation>
    </message>
    <message>
      <source>Which model?</source>
      <translation>Welches Modell?</translation>
    </message>
    <message>
      <source>With the links of the best passages</source>
      <translation>Mit den Links der besten Stellen</translation>
    </message>
    <message>
      <source>Word documents</source>
      <translation>Textdokumente</translation>
    </message>
    <message>
      <source>WordPerfect files are not read yet; save them as .odt or .docx, such as with LibreOffice</source>
      <translation>WordPerfect-Dateien werden noch nicht gelesen; speichern Sie sie als .odt oder .docx, etwa mit LibreOffice</translation>
    </message>
    <message>
      <source>You have no permission to open it; what was read stays searchable.</source>
      <translation>Sie haben keine Berechtigung, ihn zu öffnen; was gelesen wurde, bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>You have no permission to open this {0}.</source>
      <translation>Ihnen fehlt das Recht, {0} zu öffnen.</translation>
    </message>
    <message>
      <source>You have no permission to read it.</source>
      <translation>Ihnen fehlt das Recht, sie zu lesen.</translation>
    </message>
    <message>
      <source>You have no permission to read this file.</source>
      <translation>Sie haben keine Berechtigung, diese Datei zu lesen.</translation>
    </message>
    <message>
      <source>Your limit on money is reached</source>
      <translation>Ihre Geldgrenze ist erreicht</translation>
    </message>
    <message>
      <source>Your question and most of your documents seem to be in different languages: ask in that of your documents, too.</source>
      <translation>Ihre Frage und die meisten Ihrer Dokumente scheinen in verschiedenen Sprachen zu sein: Fragen Sie auch in der Ihrer Dokumente.</translation>
    </message>
    <message>
      <source>a KWord file</source>
      <translation>eine KWord-Datei</translation>
    </message>
    <message>
      <source>a Rich Text file</source>
      <translation>eine RTF-Datei</translation>
    </message>
    <message>
      <source>a Visio drawing</source>
      <translation>eine Visio-Zeichnung</translation>
    </message>
    <message>
      <source>a Word document</source>
      <translation>ein Word-Dokument</translation>
    </message>
    <message>
      <source>a ZIP archive or an Office file</source>
      <translation>ein ZIP-Archiv oder eine Office-Datei</translation>
    </message>
    <message>
      <source>a compressed file</source>
      <translation>eine komprimierte Datei</translation>
    </message>
    <message>
      <source>a database</source>
      <translation>eine Datenbank</translation>
    </message>
    <message>
      <source>a drawing</source>
      <translation>eine Zeichnung</translation>
    </message>
    <message>
      <source>a file of Hangul Word Processor</source>
      <translation>eine Datei von Hangul Word Processor</translation>
    </message>
    <message>
      <source>a picture</source>
      <translation>ein Bild</translation>
    </message>
    <message>
      <source>a presentation</source>
      <translation>eine Präsentation</translation>
    </message>
    <message>
      <source>a program</source>
      <translation>ein Programm</translation>
    </message>
    <message>
      <source>a share</source>
      <translation>ein Anteil</translation>
    </message>
    <message>
      <source>a workbook</source>
      <translation>eine Arbeitsmappe</translation>
    </message>
    <message>
      <source>an OpenDocument file</source>
      <translation>eine OpenDocument-Datei</translation>
    </message>
    <message>
      <source>an archive</source>
      <translation>ein Archiv</translation>
    </message>
    <message>
      <source>an e-book</source>
      <translation>ein E-Book</translation>
    </message>
    <message>
      <source>an index</source>
      <translation>ein Verzeichnis</translation>
    </message>
    <message>
      <source>an office file</source>
      <translation>eine Office-Datei</translation>
    </message>
    <message>
      <source>an old Office file</source>
      <translation>eine alte Office-Datei</translation>
    </message>
    <message>
      <source>another address</source>
      <translation>eine andere Adresse</translation>
    </message>
    <message>
      <source>compressed with an unsupported method</source>
      <translation>mit einem nicht unterstützten Verfahren komprimiert</translation>
    </message>
    <message>
      <source>echo {0} | sudo tee /etc/sysctl.d/60-{1}.conf &amp;&amp; sudo sysctl --system</source>
      <translation>echo {0} | sudo tee /etc/sysctl.d/60-{1}.conf &amp;&amp; sudo sysctl --system</translation>
    </message>
    <message>
      <source>every minute</source>
      <translation>jede Minute</translation>
    </message>
    <message>
      <source>every {0} seconds</source>
      <translation>alle {0} Sekunden</translation>
    </message>
    <message>
      <source>it ended the connection</source>
      <translation>er hat die Verbindung beendet</translation>
    </message>
    <message>
      <source>it gave no answer</source>
      <translation>er gab keine Antwort</translation>
    </message>
    <message>
      <source>it gave no answer in time</source>
      <translation>er gab keine rechtzeitige Antwort</translation>
    </message>
    <message>
      <source>it refused the connection</source>
      <translation>er lehnt die Verbindung ab</translation>
    </message>
    <message>
      <source>its best passage is at place {0}, and the list shows {1}</source>
      <translation>ihre beste Stelle ist auf Platz {0}, und die Liste zeigt {1}</translation>
    </message>
    <message>
      <source>its process ended before it could begin</source>
      <translation>der Prozess dafür endete, bevor er beginnen konnte</translation>
    </message>
    <message>
      <source>its process was ended from outside</source>
      <translation>der Leseprozess wurde von außen beendet</translation>
    </message>
    <message>
      <source>leaves it out</source>
      <translation>lässt sie aus</translation>
    </message>
    <message>
      <source>made no progress for {0} seconds</source>
      <translation>kam {0} Sekunden lang nicht voran</translation>
    </message>
    <message>
      <source>needs more memory than is allowed</source>
      <translation>braucht mehr Speicher als erlaubt</translation>
    </message>
    <message>
      <source>no address is known for its name</source>
      <translation>zu seinem Namen ist keine Adresse bekannt</translation>
    </message>
    <message>
      <source>no file</source>
      <translation>keine Datei</translation>
    </message>
    <message>
      <source>no more than {0} are read</source>
      <translation>mehr als {0} werden nicht gelesen</translation>
    </message>
    <message>
      <source>no network leads to it</source>
      <translation>kein Netzwerk führt zu ihm</translation>
    </message>
    <message>
      <source>of files</source>
      <translation>von Dateien</translation>
    </message>
    <message>
      <source>on the team's server</source>
      <translation>auf dem Server des Teams</translation>
    </message>
    <message>
      <source>only a link</source>
      <translation>nur eine Verknüpfung</translation>
    </message>
    <message>
      <source>only the first {0} of {1} pages were read ({2})</source>
      <translation>nur die ersten {0} von {1} Seiten wurden gelesen ({2})</translation>
    </message>
    <message>
      <source>own line</source>
      <translation>eigene Zeile</translation>
    </message>
    <message>
      <source>page {0} without text (a scan?)</source>
      <translation>Seite {0} ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>pages {0} and {1} more without text (a scan?)</source>
      <translation>Seiten {0} und {1} weitere ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>pages {0} without text (a scan?)</source>
      <translation>Seiten {0} ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>produces more output than is allowed</source>
      <translation>ergibt mehr Text als erlaubt</translation>
    </message>
    <message>
      <source>protected by a password</source>
      <translation>durch ein Passwort geschützt</translation>
    </message>
    <message>
      <source>system volume information</source>
      <translation>Systemordner</translation>
    </message>
    <message>
      <source>takes it in</source>
      <translation>nimmt sie auf</translation>
    </message>
    <message>
      <source>the file is damaged; what could be repaired was read</source>
      <translation>die Datei ist beschädigt; was sich reparieren ließ, wurde gelesen</translation>
    </message>
    <message>
      <source>the first </source>
      <translation>den ersten </translation>
    </message>
    <message>
      <source>the rules of all folders</source>
      <translation>den Regeln aller Ordner</translation>
    </message>
    <message>
      <source>the system ran out of memory</source>
      <translation>dem System ging der Speicher aus</translation>
    </message>
    <message>
      <source>this folder's rules</source>
      <translation>den Regeln dieses Ordners</translation>
    </message>
    <message>
      <source>too big</source>
      <translation>zu groß</translation>
    </message>
    <message>
      <source>too large</source>
      <translation>zu groß</translation>
    </message>
    <message>
      <source>took longer than {0} seconds of processor time</source>
      <translation>brauchte mehr als {0} Sekunden Prozessorzeit</translation>
    </message>
    <message>
      <source>without text (a scan?)</source>
      <translation>ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>{0} (.{1}) are not read yet</source>
      <translation>{0} (.{1}) werden noch nicht gelesen</translation>
    </message>
    <message>
      <source>{0} Also tried: {1}.</source>
      <translation>{0} Auch versucht: {1}.</translation>
    </message>
    <message>
      <source>{0} It was tried {1} times and is quarantined until it changes.</source>
      <translation>{0} Es wurde {1}-mal versucht; die Datei wird erst wieder gelesen, wenn sie sich ändert.</translation>
    </message>
    <message>
      <source>{0} and what it leads to</source>
      <translation>{0} und wohin das führt</translation>
    </message>
    <message>
      <source>{0} and {1} more</source>
      <translation>{0} und {1} weitere</translation>
    </message>
    <message>
      <source>{0} and {1}, which the library has already, lie in one another. Nothing was changed.</source>
      <translation>{0} und {1}, das die Bibliothek schon hat, liegen ineinander. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>{0} answered after {1} seconds.</source>
      <translation>{0} antwortete nach {1} Sekunden.</translation>
    </message>
    <message>
      <source>{0} answered after {1} seconds.{2}</source>
      <translation>{0} antwortete nach {1} Sekunden.{2}</translation>
    </message>
    <message>
      <source>{0} answered {1} for {2}. Try later.</source>
      <translation>{0} hat für {2} mit {1} geantwortet. Versuchen Sie es später.</translation>
    </message>
    <message>
      <source>{0} answered, but not as a model does: {1} – check the address.</source>
      <translation>{0} hat geantwortet, aber nicht wie ein Modell: {1} – prüfen Sie die Adresse.</translation>
    </message>
    <message>
      <source>{0} asks for an API key, and this model has none ({1}). Add the key in the settings.</source>
      <translation>{0} verlangt einen API-Schlüssel, und dieses Modell hat keinen ({1}). Fügen Sie ihn in den Einstellungen hinzu.</translation>
    </message>
    <message>
      <source>{0} broke off with an error ({1}). Ask again.</source>
      <translation>{0} brach mit einem Fehler ab ({1}). Fragen Sie noch einmal.</translation>
    </message>
    <message>
      <source>{0} by meaning</source>
      <translation>{0} nach der Bedeutung</translation>
    </message>
    <message>
      <source>{0} by words</source>
      <translation>{0} nach den Wörtern</translation>
    </message>
    <message>
      <source>{0} cannot be deleted: {1}.</source>
      <translation>{0} kann nicht gelöscht werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be kept private ({1}).</source>
      <translation>{0} kann nicht privat gehalten werden ({1}).</translation>
    </message>
    <message>
      <source>{0} cannot be opened ({1}). Check that its folder exists and is yours.</source>
      <translation>{0} lässt sich nicht öffnen ({1}). Prüfen Sie, dass der Ordner existiert und Ihnen gehört.</translation>
    </message>
    <message>
      <source>{0} cannot be opened: {1}.</source>
      <translation>{0} lässt sich nicht öffnen: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be reached ({1}). Check the address and your network.</source>
      <translation>{0} ist nicht erreichbar ({1}). Prüfen Sie die Adresse und Ihr Netz.</translation>
    </message>
    <message>
      <source>{0} cannot be reached, or broke off ({1}). Check the network and start again.</source>
      <translation>{0} ist nicht erreichbar oder hat abgebrochen ({1}). Prüfen Sie das Netz und starten Sie erneut.</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}).</source>
      <translation>{0} kann nicht gelesen werden ({1}).</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Nothing was changed.</source>
      <translation>{0} lässt sich nicht lesen ({1}). Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Remove the library and add it again.</source>
      <translation>{0} kann nicht gelesen werden ({1}). Entfernen Sie die Bibliothek, und fügen Sie sie wieder hinzu.</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}). Repair or delete it; the defaults are used until then.</source>
      <translation>{0} lässt sich nicht lesen ({1}). Reparieren oder löschen Sie die Datei; bis dahin gelten die Vorgaben.</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}); download it again.</source>
      <translation>{0} kann nicht gelesen werden ({1}); laden Sie es erneut herunter.</translation>
    </message>
    <message>
      <source>{0} cannot be read: {1}.</source>
      <translation>{0} kann nicht gelesen werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be shown: {1}.</source>
      <translation>{0} lässt sich nicht zeigen: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be started ({1}). Choose llama.cpp's llama-server.</source>
      <translation>{0} kann nicht gestartet werden ({1}). Wählen Sie das Programm llama-server von llama.cpp aus.</translation>
    </message>
    <message>
      <source>{0} cannot be used ({1}). Check its permissions and its disk, or choose another folder.</source>
      <translation>{0} ist nicht verwendbar ({1}). Prüfen Sie Rechte und Laufwerk, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}).</source>
      <translation>{0} kann nicht geschrieben werden ({1}).</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}). The change lasts until the window closes.</source>
      <translation>{0} lässt sich nicht schreiben ({1}). Die Änderung gilt, bis das Fenster geschlossen wird.</translation>
    </message>
    <message>
      <source>{0} cannot be written. Check the permissions of its folder.</source>
      <translation>{0} lässt sich nicht schreiben. Prüfen Sie die Rechte des Ordners.</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}.</source>
      <translation>{0} kann nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cells in a row got no answer, so no more were asked.</source>
      <translation>{0} Zellen hintereinander bekamen keine Antwort; deshalb wurden keine weiteren gefragt.</translation>
    </message>
    <message>
      <source>{0} closed the connection before the answer was complete. Ask again.</source>
      <translation>{0} schloss die Verbindung, bevor die Antwort vollständig war. Fragen Sie noch einmal.</translation>
    </message>
    <message>
      <source>{0} closed the connection without an answer. Ask again, or check the server, and whether its address begins with https://.</source>
      <translation>{0} hat die Verbindung ohne Antwort geschlossen. Fragen Sie noch einmal, oder prüfen Sie den Server, und ob seine Adresse mit https:// beginnt.</translation>
    </message>
    <message>
      <source>{0} closed the connection without an answer. Ask again, or check the server.</source>
      <translation>{0} hat die Verbindung ohne Antwort geschlossen. Fragen Sie noch einmal, oder prüfen Sie den Server.</translation>
    </message>
    <message>
      <source>{0} comes with the program and stays.</source>
      <translation>{0} gehört zum Programm und bleibt.</translation>
    </message>
    <message>
      <source>{0} could not be read</source>
      <translation>{0} konnte nicht gelesen werden</translation>
    </message>
    <message>
      <source>{0} could not be used ({1}).</source>
      <translation>{0} war nicht verwendbar ({1}).</translation>
    </message>
    <message>
      <source>{0} could not read this file.</source>
      <translation>{0} konnte diese Datei nicht lesen.</translation>
    </message>
    <message>
      <source>{0} did not accept a connection in time. Check the address and your network.</source>
      <translation>{0} hat nicht rechtzeitig eine Verbindung angenommen. Prüfen Sie die Adresse und Ihr Netz.</translation>
    </message>
    <message>
      <source>{0} did not accept a connection within {1}. Check the address and your network.</source>
      <translation>{0} hat in {1} keine Verbindung angenommen. Prüfen Sie die Adresse und Ihr Netz.</translation>
    </message>
    <message>
      <source>{0} did not accept the API key ({1}). Check the key of this model in the settings.</source>
      <translation>{0} nahm den API-Schlüssel nicht an ({1}). Prüfen Sie den Schlüssel dieses Modells in den Einstellungen.</translation>
    </message>
    <message>
      <source>{0} did not accept the request ({1}). Check the model and the settings.</source>
      <translation>{0} hat die Anfrage nicht angenommen ({1}). Prüfen Sie das Modell und die Einstellungen.</translation>
    </message>
    <message>
      <source>{0} did not finish in time ({1}). Try again, or check the server.</source>
      <translation>{0} wurde nicht rechtzeitig fertig ({1}). Versuchen Sie es erneut, oder prüfen Sie den Server.</translation>
    </message>
    <message>
      <source>{0} did not respond for {1}. Ask again, or check the server.</source>
      <translation>{0} hat {1} lang nicht geantwortet. Fragen Sie erneut, oder prüfen Sie den Server.</translation>
    </message>
    <message>
      <source>{0} did not respond in time. Ask again, or check the server.</source>
      <translation>{0} hat nicht rechtzeitig geantwortet. Fragen Sie erneut, oder prüfen Sie den Server.</translation>
    </message>
    <message>
      <source>{0} does not accept the client certificate of this model, or asks for one ({1}). Choose the certificate in the settings of the model.</source>
      <translation>{0} nimmt das Client-Zertifikat dieses Modells nicht an oder verlangt eines ({1}). Wählen Sie das Zertifikat in den Einstellungen des Modells.</translation>
    </message>
    <message>
      <source>{0} does not allow this key to use “{1}” ({2}). Check the key and the model.</source>
      <translation>{0} erlaubt diesem Schlüssel nicht, „{1}“ zu verwenden ({2}). Prüfen Sie den Schlüssel und das Modell.</translation>
    </message>
    <message>
      <source>{0} does not end its answer. The text so far is kept.</source>
      <translation>{0} beendet seine Antwort nicht. Der bisherige Text bleibt erhalten.</translation>
    </message>
    <message>
      <source>{0} does not exist.</source>
      <translation>{0} gibt es nicht.</translation>
    </message>
    <message>
      <source>{0} does not hold the files of {1}: of {2} files {3} are there unchanged. Nothing was changed. If it is another folder, add it as such.</source>
      <translation>{0} enthält nicht die Dateien von {1}: von {2} Dateien sind {3} unverändert da. Nichts wurde geändert. Ist es ein anderer Ordner, nehmen Sie ihn als solchen auf.</translation>
    </message>
    <message>
      <source>{0} does not know the model “{1}” ({2}). Choose another one in the settings, or load it on the server first.</source>
      <translation>{0} kennt das Modell „{1}“ nicht ({2}). Wählen Sie ein anderes in den Einstellungen, oder laden Sie es zuerst auf dem Server.</translation>
    </message>
    <message>
      <source>{0} does not occur in it{1}.</source>
      <translation>{0} kommt darin nicht vor{1}.</translation>
    </message>
    <message>
      <source>{0} does not rank similar sentences first in any language: it is no sentence encoder, or its pooling or prefixes are others than its folder says (--pooling, --query-prefix, --passage-prefix).</source>
      <translation>{0} ordnet in keiner Sprache ähnliche Sätze vorn ein: Es ist kein Satz-Encoder, oder Pooling und Präfixe sind andere, als der Ordner sagt (--pooling, --query-prefix, --passage-prefix).</translation>
    </message>
    <message>
      <source>{0} does not speak HTTP as expected ({1}). Check the address, and whether it is https.</source>
      <translation>{0} spricht nicht wie erwartet HTTP ({1}). Prüfen Sie die Adresse, und ob sie mit https beginnt.</translation>
    </message>
    <message>
      <source>{0} does not speak TLS as expected ({1}). Check whether the address is http or https.</source>
      <translation>{0} spricht TLS nicht wie erwartet ({1}). Prüfen Sie, ob die Adresse mit http oder https beginnt.</translation>
    </message>
    <message>
      <source>{0} ended the answer in the middle. The text so far is kept; ask again to continue.</source>
      <translation>{0} hat die Antwort mittendrin beendet. Der bisherige Text bleibt; fragen Sie erneut, um fortzufahren.</translation>
    </message>
    <message>
      <source>{0} failed ({1}). Try again, or check the server.</source>
      <translation>{0} ist fehlgeschlagen ({1}). Versuchen Sie es erneut, oder prüfen Sie den Server.</translation>
    </message>
    <message>
      <source>{0} folders are on drives that are not connected now; their text stays searchable.</source>
      <translation>{0} Ordner liegen auf Laufwerken, die gerade nicht angeschlossen sind; ihr Text bleibt durchsuchbar.</translation>
    </message>
    <message>
      <source>{0} folders, such as “{1}”,</source>
      <translation>{0} Ordner, etwa „{1}“,</translation>
    </message>
    <message>
      <source>{0} found</source>
      <translation>{0} gefunden</translation>
    </message>
    <message>
      <source>{0} found again</source>
      <translation>{0} erneut gefunden</translation>
    </message>
    <message>
      <source>{0} from {1} is not the published file: its size or checksum differs. Nothing was kept. Start again later; if it stays, the file was changed there.</source>
      <translation>{0} von {1} ist nicht die veröffentlichte Datei: Größe oder Prüfsumme weichen ab. Nichts wurde behalten. Starten Sie später erneut; bleibt es dabei, wurde die Datei dort geändert.</translation>
    </message>
    <message>
      <source>{0} given</source>
      <translation>{0} gegeben</translation>
    </message>
    <message>
      <source>{0} has an unknown version of the GGUF format ({1}).</source>
      <translation>{0} hat eine unbekannte Version des GGUF-Formats ({1}).</translation>
    </message>
    <message>
      <source>{0} has just been changed by another program. Try again.</source>
      <translation>{0} wurde soeben von einem anderen Programm geändert. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>{0} has lost its id. Run `desktop-rag check --repair`.</source>
      <translation>{0} hat seine Kennung verloren. Führen Sie `desktop-rag check --repair` aus.</translation>
    </message>
    <message>
      <source>{0} has not enough memory for the model ({1}). Choose a smaller model or context there.</source>
      <translation>{0} hat nicht genug Speicher für das Modell ({1}). Wählen Sie dort ein kleineres Modell oder einen kleineren Kontext.</translation>
    </message>
    <message>
      <source>{0} has parts that are not supported ({1}). Choose a sentence encoder whose modules.json has only Transformer, Pooling and Normalize.</source>
      <translation>{0} hat Teile, die nicht unterstützt werden ({1}). Wählen Sie einen Satz-Encoder, dessen modules.json nur Transformer, Pooling und Normalize enthält.</translation>
    </message>
    <message>
      <source>{0} has the size and time of the file the library knows, but not its bytes. Nothing was changed. If it is another folder, add it as such.</source>
      <translation>{0} hat Größe und Zeit der Datei, die die Bibliothek kennt, aber nicht ihre Bytes. Nichts wurde geändert. Ist es ein anderer Ordner, nehmen Sie ihn als solchen auf.</translation>
    </message>
    <message>
      <source>{0} has too many requests at present ({1}). Try again in a moment, or choose another model.</source>
      <translation>{0} hat gerade zu viele Anfragen ({1}). Versuchen Sie es gleich noch einmal, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
      <source>{0} high enough, but a list shows few of each file and each text only once.</source>
      <translation>{0} hoch genug, aber eine Liste zeigt nur wenige je Datei und jeden Text nur einmal.</translation>
    </message>
    <message>
      <source>{0} holds no language model that can answer.</source>
      <translation>{0} enthält kein Sprachmodell, das antworten kann.</translation>
    </message>
    <message>
      <source>{0} holds no sentence encoder: no model.safetensors or model.onnx is in it.</source>
      <translation>{0} enthält keinen Satz-Encoder: Weder model.safetensors noch model.onnx ist darin.</translation>
    </message>
    <message>
      <source>{0} in {1}</source>
      <translation>{0}, {1}</translation>
    </message>
    <message>
      <source>{0} is cut off: its end is missing. Download it again.</source>
      <translation>{0} ist abgeschnitten: Das Ende fehlt. Laden Sie die Datei noch einmal herunter.</translation>
    </message>
    <message>
      <source>{0} is damaged ({1}). `desktop-rag index`, or opening the window, repairs it.</source>
      <translation>{0} ist beschädigt ({1}). `desktop-rag index`, oder das Öffnen des Fensters, repariert es.</translation>
    </message>
    <message>
      <source>{0} is damaged or needs a newer onnxruntime; download it again.</source>
      <translation>{0} ist beschädigt oder braucht ein neueres onnxruntime; laden Sie es erneut herunter.</translation>
    </message>
    <message>
      <source>{0} is damaged or not an ONNX file; download it again.</source>
      <translation>{0} ist beschädigt oder keine ONNX-Datei; laden Sie sie erneut herunter.</translation>
    </message>
    <message>
      <source>{0} is damaged: its header contains no text where it should.</source>
      <translation>{0} ist beschädigt: Im Kopf der Datei steht kein Text, wo er stehen sollte.</translation>
    </message>
    <message>
      <source>{0} is damaged: its header makes no sense. Download it again.</source>
      <translation>{0} ist beschädigt: Der Kopf der Datei ergibt keinen Sinn. Laden Sie die Datei noch einmal herunter.</translation>
    </message>
    <message>
      <source>{0} is held by another program for too long. Close it and try again.</source>
      <translation>{0} wird zu lange von einem anderen Programm gehalten. Schließen Sie es und versuchen Sie es erneut.</translation>
    </message>
    <message>
      <source>{0} is in use. Choose another one first: desktop-rag encoder use {1}</source>
      <translation>{0} wird benutzt. Wählen Sie zuerst einen anderen: desktop-rag encoder use {1}</translation>
    </message>
    <message>
      <source>{0} is larger than {1} bytes: add the server by hand.</source>
      <translation>{0} ist größer als {1} Bytes: Fügen Sie den Server von Hand hinzu.</translation>
    </message>
    <message>
      <source>{0} is missing. Connect the disk that contains the library.</source>
      <translation>{0} fehlt. Verbinden Sie das Laufwerk, das die Bibliothek enthält.</translation>
    </message>
    <message>
      <source>{0} is no file. Nothing was changed.</source>
      <translation>{0} ist keine Datei. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>{0} is no folder and no zip archive that can be read ({1}).</source>
      <translation>{0} ist weder ein Ordner noch ein lesbares Zip-Archiv ({1}).</translation>
    </message>
    <message>
      <source>{0} is no team library. Check the address, or ask whoever runs it.</source>
      <translation>{0} ist keine Team-Bibliothek. Prüfen Sie die Adresse, oder fragen Sie, wer sie betreibt.</translation>
    </message>
    <message>
      <source>{0} is not UTF-8 text. Nothing was changed.</source>
      <translation>{0} ist kein UTF-8-Text. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>{0} is not a GGUF file. Choose a file that ends in .gguf.</source>
      <translation>{0} ist keine GGUF-Datei. Wählen Sie eine Datei, die auf .gguf endet.</translation>
    </message>
    <message>
      <source>{0} is not a file.</source>
      <translation>{0} ist keine Datei.</translation>
    </message>
    <message>
      <source>{0} is not a folder of the library.</source>
      <translation>{0} ist kein Ordner der Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is not a published sentence encoder: it needs {1}, and {2} or {3}. Download these files of the model, with config.json, into one folder.</source>
      <translation>{0} ist kein veröffentlichter Satz-Encoder: Gebraucht werden {1} sowie {2} oder {3}. Laden Sie diese Dateien des Modells mit config.json in einen Ordner.</translation>
    </message>
    <message>
      <source>{0} is not asked: its address is not encrypted (https).</source>
      <translation>{0} wird nicht gefragt: Die Adresse ist nicht verschlüsselt (https).</translation>
    </message>
    <message>
      <source>{0} is not empty. Choose an empty folder for the library's own files.</source>
      <translation>{0} ist nicht leer. Wählen Sie einen leeren Ordner für die eigenen Dateien der Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is not in the library any more.</source>
      <translation>{0} ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is not ready yet ({1}). Try again in a moment.</source>
      <translation>{0} ist noch nicht bereit ({1}). Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
      <source>{0} is of the kind “{1}”; only BERT and XLM-RoBERTa can be converted from {2}. Add its ONNX file (onnx/model.onnx) to the folder.</source>
      <translation>{0} ist von der Art „{1}“; aus {2} lassen sich nur BERT und XLM-RoBERTa umwandeln. Legen Sie die ONNX-Datei (onnx/model.onnx) in den Ordner.</translation>
    </message>
    <message>
      <source>{0} is one of {1} parts of a model. Join them with `llama-gguf-split --merge` and choose the result.</source>
      <translation>{0} ist einer von {1} Teilen eines Modells. Fügen Sie sie mit `llama-gguf-split --merge` zusammen und wählen Sie das Ergebnis.</translation>
    </message>
    <message>
      <source>{0} is too big: it needs about {1} GB of memory with a context of {2} tokens, and {3} GB are free. Close other programs or choose a smaller model.</source>
      <translation>{0} ist zu groß: Es braucht mit einem Kontext von {2} Tokens etwa {1} GB Arbeitsspeicher, und {3} GB sind frei. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
      <source>{0} is too large: at most {1} GB of weights.</source>
      <translation>{0} ist zu groß: höchstens {1} GB Gewichte.</translation>
    </message>
    <message>
      <source>{0} is too large: at most {1} GB.</source>
      <translation>{0} ist zu groß: höchstens {1} GB.</translation>
    </message>
    <message>
      <source>{0} kept</source>
      <translation>{0} behalten</translation>
    </message>
    <message>
      <source>{0} letter by letter</source>
      <translation>{0} Buchstabe für Buchstabe</translation>
    </message>
    <message>
      <source>{0} limits the rate of requests ({1}). {2}</source>
      <translation>{0} begrenzt die Zahl der Anfragen ({1}). {2}</translation>
    </message>
    <message>
      <source>{0} models are listed.</source>
      <translation>{0} Modelle werden aufgelistet.</translation>
    </message>
    <message>
      <source>{0} more of its passages rank</source>
      <translation>{0} weitere ihrer Stellen stehen</translation>
    </message>
    <message>
      <source>{0} not read yet: the answer does without</source>
      <translation>{0} noch nicht gelesen: Die Antwort kommt ohne aus</translation>
    </message>
    <message>
      <source>{0} occurs in {1}.</source>
      <translation>{0} kommt vor in {1}.</translation>
    </message>
    <message>
      <source>{0} of its passages</source>
      <translation>{0} ihrer Stellen</translation>
    </message>
    <message>
      <source>{0} of {1} files in this archive cannot be read: {2}.</source>
      <translation>{0} von {1} Dateien in diesem Archiv lassen sich nicht lesen: {2}.</translation>
    </message>
    <message>
      <source>{0} offers only outdated versions of TLS ({1}). Update that server.</source>
      <translation>{0} bietet nur veraltete TLS-Versionen an ({1}). Aktualisieren Sie diesen Server.</translation>
    </message>
    <message>
      <source>{0} pages without text (a scan?)</source>
      <translation>{0} Seiten ohne Text (ein Scan?)</translation>
    </message>
    <message>
      <source>{0} passages read</source>
      <translation>{0} Stellen gelesen</translation>
    </message>
    <message>
      <source>{0} passes {1} on without end. Try later.</source>
      <translation>{0} leitet {1} endlos weiter. Versuchen Sie es später.</translation>
    </message>
    <message>
      <source>{0} pools its tokens neither by their mean nor by the first. Choose another.</source>
      <translation>{0} bildet den Vektor weder aus dem Mittel noch aus dem ersten Token. Wählen Sie einen anderen.</translation>
    </message>
    <message>
      <source>{0} read again</source>
      <translation>{0} erneut gelesen</translation>
    </message>
    <message>
      <source>{0} read {1} of about {2} tokens and dropped the beginning without a word. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH), or lower its context window in the settings.</source>
      <translation>{0} hat {1} von etwa {2} Token gelesen und den Anfang ohne ein Wort weggelassen. Geben Sie dem Modell dort einen größeren Kontext (Ollama: OLLAMA_CONTEXT_LENGTH), oder verkleinern Sie sein Kontextfenster in den Einstellungen.</translation>
    </message>
    <message>
      <source>{0} redirects to {1} ({2}). Put the final address into the settings.</source>
      <translation>{0} leitet weiter zu {1} ({2}). Tragen Sie die endgültige Adresse in die Einstellungen ein.</translation>
    </message>
    <message>
      <source>{0} sent an empty answer. Check the address, or ask again.</source>
      <translation>{0} hat eine leere Antwort gesendet. Prüfen Sie die Adresse, oder fragen Sie erneut.</translation>
    </message>
    <message>
      <source>{0} sent invalid JSON within its answer. Ask again.</source>
      <translation>{0} hat ungültiges JSON in der Antwort gesendet. Fragen Sie erneut.</translation>
    </message>
    <message>
      <source>{0} speaks HTTPS at this port ({1}). Let the address begin with https:// instead of http://.</source>
      <translation>{0} spricht an diesem Port HTTPS ({1}). Lassen Sie die Adresse mit https:// statt http:// beginnen.</translation>
    </message>
    <message>
      <source>{0} tokens: enough for few passages only.</source>
      <translation>{0} Token: genug nur für wenige Stellen.</translation>
    </message>
    <message>
      <source>{0} took longer than {1} seconds for this file.</source>
      <translation>{0} brauchte für diese Datei länger als {1} Sekunden.</translation>
    </message>
    <message>
      <source>{0} was written by a newer version of this program. Please update, or choose another library.</source>
      <translation>{0} stammt von einer neueren Version dieses Programms. Bitte aktualisieren Sie es, oder wählen Sie eine andere Bibliothek.</translation>
    </message>
    <message>
      <source>{0} was written by an earlier version of this program. `desktop-rag index`, or opening the window, starts a new one and reads its folders again.</source>
      <translation>{0} stammt von einer früheren Version dieses Programms. `desktop-rag index`, oder das Öffnen des Fensters, beginnt neu und liest die Ordner noch einmal.</translation>
    </message>
    <message>
      <source>{0} wrote no tool call that can be read.</source>
      <translation>{0} hat keinen lesbaren Werkzeugaufruf geschrieben.</translation>
    </message>
    <message>
      <source>{0} {1} checked {2}. {3}.</source>
      <translation>{0} {1} prüfte {2}. {3}.</translation>
    </message>
    <message>
      <source>{0} {1}. To look for the word itself, write it in small letters.</source>
      <translation>{0} {1}. Um das Wort selbst zu suchen, schreiben Sie es klein.</translation>
    </message>
    <message>
      <source>{0} – OCR is not installed (install Tesseract: package tesseract-ocr)</source>
      <translation>{0} – OCR ist nicht installiert (installieren Sie Tesseract: Paket tesseract-ocr)</translation>
    </message>
    <message>
      <source>{0} – they are being recognised</source>
      <translation>{0} – sie werden gerade erkannt</translation>
    </message>
    <message>
      <source>{0}, nor can it write them as text: the searches are made for it.</source>
      <translation>{0}, und es kann sie auch nicht als Text schreiben: Die Suchen werden ihm abgenommen.</translation>
    </message>
    <message>
      <source>{0}, which the query excludes, does not occur in it.</source>
      <translation>{0}, was die Suche ausschließt, kommt darin nicht vor.</translation>
    </message>
    <message>
      <source>{0}, which the query excludes, occurs in {1}.</source>
      <translation>{0}, was die Suche ausschließt, kommt vor in {1}.</translation>
    </message>
    <message>
      <source>{0}, {1} already read</source>
      <translation>{0}, {1} schon gelesen</translation>
    </message>
    <message>
      <source>{0}: fs.inotify.{1}{2}. To raise it: “{3}”</source>
      <translation>{0}: fs.inotify.{1}{2}. So heben Sie es an: „{3}“</translation>
    </message>
    <message>
      <source>{0}: not among {1}{2} passages.</source>
      <translation>{0}: nicht unter {1}{2} Stellen.</translation>
    </message>
    <message>
      <source>{0}: place {1} of {2} passages{3}.</source>
      <translation>{0}: Platz {1} von {2} Stellen{3}.</translation>
    </message>
    <message>
      <source>{0}; it can write calls as text instead, which is slower.</source>
      <translation>{0}; es kann Aufrufe stattdessen als Text schreiben, was langsamer ist.</translation>
    </message>
    <message>
      <source>{0}; it is damaged, or too complex to read.</source>
      <translation>{0}; sie ist beschädigt oder zu kompliziert.</translation>
    </message>
    <message>
      <source>{0}; the rest of the file was left out.</source>
      <translation>{0}; der Rest der Datei wurde ausgelassen.</translation>
    </message>
    <message>
      <source>{0}date:{1}</source>
      <translation>{0}date:{1}</translation>
    </message>
    <message>
      <source>{n} aspects</source>
      <translation>{n} Aspekte</translation>
    </message>
    <message>
      <source>{n} documents</source>
      <translation>{n} Dokumente</translation>
    </message>
    <message>
      <source>{n} files</source>
      <translation>{n} Dateien</translation>
    </message>
    <message>
      <source>{n} given passages</source>
      <translation>{n} gegebene Stellen</translation>
    </message>
    <message>
      <source>{n} items</source>
      <translation>{n} Einträge</translation>
    </message>
    <message>
      <source>{n} lines</source>
      <translation>{n} Zeilen</translation>
    </message>
    <message>
      <source>{n} new files</source>
      <translation>{n} neue Dateien</translation>
    </message>
    <message>
      <source>{n} pages</source>
      <translation>{n} Seiten</translation>
    </message>
    <message>
      <source>{n} passages</source>
      <translation>{n} Stellen</translation>
    </message>
    <message>
      <source>{n} places</source>
      <translation>{n} Orte</translation>
    </message>
    <message>
      <source>{n} results</source>
      <translation>{n} Ergebnisse</translation>
    </message>
    <message>
      <source>{n} statements</source>
      <translation>{n} Aussagen</translation>
    </message>
    <message>
      <source>{n} steps</source>
      <translation>{n} Schritte</translation>
    </message>
    <message>
      <source>{n} tool calls</source>
      <translation>{n} Werkzeugaufrufe</translation>
    </message>
    <message>
      <source>“oracle” needs the gold passages of an evaluation. Choose another toolkit for your question.</source>
      <translation>„oracle“ braucht die richtigen Stellen einer Auswertung. Wählen Sie für Ihre Frage ein anderes Toolkit.</translation>
    </message>
    <message>
      <source>“{0}” at {1} did not accept tools before. They are not offered today.</source>
      <translation>„{0}“ bei {1} hat Werkzeuge zuvor abgelehnt. Heute werden sie nicht angeboten.</translation>
    </message>
    <message>
      <source>“{0}” at {1} does not accept tools ({2}). Choose a model that supports tool calls, or start the server with tool calls enabled.</source>
      <translation>„{0}“ bei {1} nimmt keine Werkzeuge an ({2}). Wählen Sie ein Modell, das Werkzeugaufrufe unterstützt, oder starten Sie den Server mit Werkzeugaufrufen.</translation>
    </message>
    <message>
      <source>“{0}” belongs to programs.</source>
      <translation>„{0}“ gehört zu Programmen.</translation>
    </message>
    <message>
      <source>“{0}” cannot be the name of an encoder: use letters, digits, dots, - and _ (--name).</source>
      <translation>„{0}“ kann kein Name eines Encoders sein: Verwenden Sie Buchstaben, Ziffern, Punkte, - und _ (--name).</translation>
    </message>
    <message>
      <source>“{0}” is a device, a pipe or a socket.</source>
      <translation>„{0}“ ist ein Gerät, eine Pipe oder ein Socket.</translation>
    </message>
    <message>
      <source>“{0}” is a link; links are not followed, so that nothing is read twice.</source>
      <translation>„{0}“ ist eine Verknüpfung; Verknüpfungen wird nicht gefolgt, damit nichts zweimal gelesen wird.</translation>
    </message>
    <message>
      <source>“{0}” is hidden.</source>
      <translation>„{0}“ ist versteckt.</translation>
    </message>
    <message>
      <source>“{0}” is no kind of answers. They are: text, date, amount, yes/no, one of A, B. “{1}: text” asks it as it is.</source>
      <translation>„{0}“ ist keine Art von Antworten. Es gibt: text, date, amount, yes/no, one of A, B. „{1}: text“ fragt es so, wie es dasteht.</translation>
    </message>
    <message>
      <source>“{0}” is no object: edit the file by hand.</source>
      <translation>„{0}“ ist kein Objekt: Bearbeiten Sie die Datei von Hand.</translation>
    </message>
    <message>
      <source>“{0}” is no path.</source>
      <translation>„{0}“ ist kein Pfad.</translation>
    </message>
    <message>
      <source>“{0}” is no team library: its documents are on this computer.</source>
      <translation>„{0}“ ist keine Team-Bibliothek: Ihre Dokumente liegen auf diesem Computer.</translation>
    </message>
    <message>
      <source>“{0}” is not a date; write 2024, 2024-03-15, today or last week.</source>
      <translation>„{0}“ ist kein Datum; schreiben Sie 2024, 2024-03-15, today oder last week.</translation>
    </message>
    <message>
      <source>“{0}” is not an address. It should look like http://localhost:1234/v1.</source>
      <translation>„{0}“ ist keine Adresse. Sie sollte aussehen wie http://localhost:1234/v1.</translation>
    </message>
    <message>
      <source>“{0}” is open in another window or command. Close it first.</source>
      <translation>„{0}“ ist in einem anderen Fenster oder Befehl offen. Schließen Sie es zuerst.</translation>
    </message>
    <message>
      <source>“{0}” may hold passwords or keys, and what is read can be quoted in an answer. To read it all the same, add the folder around it and the line “!{1}” to that folder's rules.</source>
      <translation>„{0}“ enthält vielleicht Passwörter oder Schlüssel, und was gelesen wird, kann in einer Antwort zitiert werden. Um es trotzdem zu lesen, nehmen Sie den Ordner darum auf und schreiben die Zeile „!{1}“ in dessen Regeln.</translation>
    </message>
    <message>
      <source>“{0}” may hold passwords or keys.</source>
      <translation>„{0}“ enthält vielleicht Passwörter oder Schlüssel.</translation>
    </message>
    <message>
      <source>“{0}” names no folder. Write SERVER=HERE, such as //server/share=Z:\</source>
      <translation>„{0}“ nennt keinen Ordner. Schreiben Sie SERVER=HIER, zum Beispiel //server/share=Z:\</translation>
    </message>
    <message>
      <source>“{0}” needs 2 to {1} values to choose from: Law: one of German, English</source>
      <translation>„{0}“ braucht 2 bis {1} Werte zur Auswahl: Law: one of German, English</translation>
    </message>
    <message>
      <source>… and {0} more</source>
      <translation>… und {0} weitere</translation>
    </message>
  </context>
  <context>
    <name>Session</name>
    <message>
      <source>Bookmark deleted</source>
      <translation>Lesezeichen gelöscht</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
  </context>
  <context>
    <name>Sessions</name>
    <message>
      <source>“{0}” is open in another window</source>
      <translation>„{0}“ ist in einem anderen Fenster offen</translation>
    </message>
    <message>
      <source>“{0}” is open in another window, which does not answer.</source>
      <translation>„{0}“ ist in einem anderen Fenster offen, das nicht antwortet.</translation>
    </message>
    <message>
      <source>“{0}” is still being answered</source>
      <translation>„{0}“ wird noch beantwortet</translation>
    </message>
  </context>
  <context>
    <name>SettingsControl</name>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
  </context>
  <context>
    <name>SettingsDialog</name>
    <message>
      <source>Answers</source>
      <translation>Antworten</translation>
    </message>
    <message>
      <source>Appearance</source>
      <translation>Darstellung</translation>
    </message>
    <message>
      <source>Bring back the page as it was before the reset</source>
      <translation>Die Seite wiederherstellen, wie sie vor dem Zurücksetzen war</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Desktop</source>
      <translation>Desktop</translation>
    </message>
    <message>
      <source>Diagnostics</source>
      <translation>Diagnose</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>Verwerfen</translation>
    </message>
    <message>
      <source>Discard the changes?</source>
      <translation>Änderungen verwerfen?</translation>
    </message>
    <message>
      <source>Editor</source>
      <translation>Editor</translation>
    </message>
    <message>
      <source>Export settings…</source>
      <translation>Einstellungen exportieren…</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Import settings…</source>
      <translation>Einstellungen importieren…</translation>
    </message>
    <message>
      <source>Limits</source>
      <translation>Grenzen</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Methode</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modelle</translation>
    </message>
    <message>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
    <message>
      <source>Privacy</source>
      <translation>Datenschutz</translation>
    </message>
    <message>
      <source>Programs</source>
      <translation>Programme</translation>
    </message>
    <message>
      <source>Reset this page</source>
      <translation>Diese Seite zurücksetzen</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Search by meaning</source>
      <translation>Suche nach Bedeutung</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Shortcuts</source>
      <translation>Tastenkürzel</translation>
    </message>
    <message>
      <source>Show in folder</source>
      <translation>Im Ordner zeigen</translation>
    </message>
    <message>
      <source>The page is as it was.</source>
      <translation>Die Seite ist wieder, wie sie war.</translation>
    </message>
    <message>
      <source>This page has its usual values.</source>
      <translation>Diese Seite hat die üblichen Werte.</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <source>What you changed here is not saved.</source>
      <translation>Ihre Änderungen hier sind nicht gespeichert.</translation>
    </message>
    <message>
      <source>When you save: {0}</source>
      <translation>Wenn Sie speichern: {0}</translation>
    </message>
  </context>
  <context>
    <name>SettingsExchange</name>
    <message>
      <source>A second look by the model</source>
      <translation>Ein zweiter Blick des Modells</translation>
    </message>
    <message>
      <source>A statement without a source</source>
      <translation>Eine Aussage ohne Quelle</translation>
    </message>
    <message>
      <source>A value in this file cannot be used ({0}). Nothing was changed.</source>
      <translation>Ein Wert in dieser Datei ist nicht verwendbar ({0}). Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>Accent colour of the system</source>
      <translation>Akzentfarbe des Systems</translation>
    </message>
    <message>
      <source>Comfortable</source>
      <translation>Bequem</translation>
    </message>
    <message>
      <source>Compact</source>
      <translation>Kompakt</translation>
    </message>
    <message>
      <source>Context per request</source>
      <translation>Kontext je Anfrage</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Dark paper for printed pages</source>
      <translation>Dunkles Papier für Druckseiten</translation>
    </message>
    <message>
      <source>Density</source>
      <translation>Dichte</translation>
    </message>
    <message>
      <source>Each model in this file needs a name of its own. Nothing was changed.</source>
      <translation>Jedes Modell in dieser Datei braucht einen eigenen Namen. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>Editor command</source>
      <translation>Editor-Befehl</translation>
    </message>
    <message>
      <source>Folder of the sentence encoder</source>
      <translation>Ordner des Satz-Encoders</translation>
    </message>
    <message>
      <source>Folder of your notes</source>
      <translation>Ordner Ihrer Notizen</translation>
    </message>
    <message>
      <source>Icon in the tray</source>
      <translation>Symbol im Infobereich</translation>
    </message>
    <message>
      <source>Key that opens the window from anywhere</source>
      <translation>Taste, die das Fenster von überall öffnet</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>Mark it</source>
      <translation>Kennzeichnen</translation>
    </message>
    <message>
      <source>Mask secrets in what is sent</source>
      <translation>Geheimes im Gesendeten verdecken</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Methode</translation>
    </message>
    <message>
      <source>Model “{0}”</source>
      <translation>Modell „{0}“</translation>
    </message>
    <message>
      <source>Money per day</source>
      <translation>Geld am Tag</translation>
    </message>
    <message>
      <source>Money per month</source>
      <translation>Geld im Monat</translation>
    </message>
    <message>
      <source>Nothing moves by itself</source>
      <translation>Nichts bewegt sich von selbst</translation>
    </message>
    <message>
      <source>Notifications</source>
      <translation>Benachrichtigungen</translation>
    </message>
    <message>
      <source>Notifications with the question</source>
      <translation>Benachrichtigungen mit der Frage</translation>
    </message>
    <message>
      <source>Replace it with a note</source>
      <translation>Durch einen Hinweis ersetzen</translation>
    </message>
    <message>
      <source>Same as the system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <source>Searches and reads</source>
      <translation>Suchen und Lesevorgänge</translation>
    </message>
    <message>
      <source>Shortcut “{0}”</source>
      <translation>Tastenkürzel „{0}“</translation>
    </message>
    <message>
      <source>Size of the text in percent</source>
      <translation>Schriftgröße in Prozent</translation>
    </message>
    <message>
      <source>Start when you log in</source>
      <translation>Beim Anmelden starten</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <source>Suggested questions</source>
      <translation>Vorgeschlagene Fragen</translation>
    </message>
    <message>
      <source>The address of “{0}” in this file cannot be used. Nothing was changed.</source>
      <translation>Die Adresse von „{0}“ in dieser Datei ist nicht verwendbar. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>The value of “{0}” in this file cannot be used. Nothing was changed.</source>
      <translation>Der Wert von „{0}“ in dieser Datei ist nicht verwendbar. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>This file does not contain exported settings.</source>
      <translation>Diese Datei enthält keine exportierten Einstellungen.</translation>
    </message>
    <message>
      <source>This file has more models or shortcuts than a person would make. Nothing was changed.</source>
      <translation>Diese Datei enthält mehr Modelle oder Tastenkürzel, als ein Mensch anlegen würde. Nichts wurde geändert.</translation>
    </message>
    <message>
      <source>This file is too large to be exported settings.</source>
      <translation>Diese Datei ist zu groß für exportierte Einstellungen.</translation>
    </message>
    <message>
      <source>This file names a method or a language that this version does not have.</source>
      <translation>Diese Datei nennt eine Methode oder Sprache, die diese Version nicht hat.</translation>
    </message>
    <message>
      <source>This file was made by a newer version of Desktop RAG. Update this one, then import again.</source>
      <translation>Diese Datei stammt von einer neueren Version von Desktop RAG. Aktualisieren Sie diese und importieren Sie dann erneut.</translation>
    </message>
    <message>
      <source>Time in seconds</source>
      <translation>Zeit in Sekunden</translation>
    </message>
    <message>
      <source>Tokens per run</source>
      <translation>Token je Lauf</translation>
    </message>
    <message>
      <source>Work offline</source>
      <translation>Offline arbeiten</translation>
    </message>
    <message>
      <source>as usual</source>
      <translation>wie üblich</translation>
    </message>
    <message>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>off</source>
      <translation>aus</translation>
    </message>
    <message>
      <source>on</source>
      <translation>ein</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}).</source>
      <translation>{0} kann nicht gelesen werden ({1}).</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}). Choose another folder.</source>
      <translation>{0} kann nicht geschrieben werden ({1}). Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0}: {1} (new)</source>
      <translation>{0}: {1} (neu)</translation>
    </message>
    <message>
      <source>{0}: {1} → {2}</source>
      <translation>{0}: {1} → {2}</translation>
    </message>
  </context>
  <context>
    <name>SettingsFiles</name>
    <message>
      <source>Export settings</source>
      <translation>Einstellungen exportieren</translation>
    </message>
    <message>
      <source>Import settings</source>
      <translation>Einstellungen importieren</translation>
    </message>
    <message>
      <source>Saved as {0}, without keys</source>
      <translation>Gespeichert als {0}, ohne Schlüssel</translation>
    </message>
    <message>
      <source>Settings (*.json)</source>
      <translation>Einstellungen (*.json)</translation>
    </message>
  </context>
  <context>
    <name>SettingsSearch</name>
    <message>
      <source>Find a setting</source>
      <translation>Einstellung suchen</translation>
    </message>
    <message>
      <source>No setting has this in its name or description.</source>
      <translation>Keine Einstellung hat das in Name oder Beschreibung.</translation>
    </message>
    <message>
      <source>This is set for each model. Connect one first.</source>
      <translation>Das wird für jedes Modell eingestellt. Verbinden Sie zuerst eines.</translation>
    </message>
  </context>
  <context>
    <name>SheetTable</name>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
  </context>
  <context>
    <name>SheetView</name>
    <message>
      <source>Cells</source>
      <translation>Zellen</translation>
    </message>
    <message>
      <source>Content of the cell</source>
      <translation>Inhalt der Zelle</translation>
    </message>
    <message>
      <source>Sheets</source>
      <translation>Blätter</translation>
    </message>
  </context>
  <context>
    <name>ShortcutsDialog</name>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation>Nach Name oder Tasten filtern</translation>
    </message>
    <message>
      <source>Keyboard shortcuts</source>
      <translation>Tastenkürzel</translation>
    </message>
  </context>
  <context>
    <name>ShortcutsPage</name>
    <message>
      <source>Commands</source>
      <translation>Befehle</translation>
    </message>
    <message>
      <source>Conflicts</source>
      <translation>Konflikte</translation>
    </message>
    <message>
      <source>Filter by name or keys</source>
      <translation>Nach Name oder Tasten filtern</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>No keys</source>
      <translation>Keine Tasten</translation>
    </message>
    <message>
      <source>Press the new keys in the field below.</source>
      <translation>Drücken Sie die neuen Tasten im Feld unten.</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>Zurücksetzen</translation>
    </message>
    <message>
      <source>Reset all</source>
      <translation>Alle zurücksetzen</translation>
    </message>
    <message>
      <source>Select a command, then press its new keys in the field below.</source>
      <translation>Wählen Sie einen Befehl und drücken Sie dann seine neuen Tasten im Feld unten.</translation>
    </message>
    <message>
      <source>These keys also belong to: {0}. Neither works until you change one.</source>
      <translation>Diese Tasten gehören auch zu: {0}. Keiner wirkt, bis Sie einen ändern.</translation>
    </message>
  </context>
  <context>
    <name>ShownConversation</name>
    <message>
      <source>“{0}” cannot be opened, and was not attached.</source>
      <translation>„{0}“ kann nicht geöffnet werden und wurde nicht angehängt.</translation>
    </message>
  </context>
  <context>
    <name>SidePanel</name>
    <message>
      <source>Amounts</source>
      <translation>Beträge</translation>
    </message>
    <message>
      <source>Bookmarks and notes</source>
      <translation>Lesezeichen und Notizen</translation>
    </message>
    <message>
      <source>Dates</source>
      <translation>Daten</translation>
    </message>
    <message>
      <source>Defined terms</source>
      <translation>Definierte Begriffe</translation>
    </message>
    <message>
      <source>Guide</source>
      <translation>Überblick</translation>
    </message>
    <message>
      <source>Hide the side panel</source>
      <translation>Seitenleiste ausblenden</translation>
    </message>
    <message>
      <source>Matches</source>
      <translation>Treffer</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>Namen</translation>
    </message>
    <message>
      <source>Only the beginning of this long document was looked at.</source>
      <translation>Nur der Anfang dieses langen Dokuments wurde durchgesehen.</translation>
    </message>
    <message>
      <source>Outline</source>
      <translation>Gliederung</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
  </context>
  <context>
    <name>SortBox</name>
    <message>
      <source>By folder</source>
      <translation>Nach Ordner</translation>
    </message>
    <message>
      <source>By name</source>
      <translation>Nach Name</translation>
    </message>
    <message>
      <source>By relevance</source>
      <translation>Nach Relevanz</translation>
    </message>
    <message>
      <source>Largest first</source>
      <translation>Größte zuerst</translation>
    </message>
    <message>
      <source>Newest first</source>
      <translation>Neueste zuerst</translation>
    </message>
    <message>
      <source>Order of the results</source>
      <translation>Reihenfolge der Ergebnisse</translation>
    </message>
  </context>
  <context>
    <name>SourceChips</name>
    <message numerus="yes">
      <source>+%Ln more</source>
      <translation>
        <numerusform>+%Ln weitere</numerusform>
        <numerusform>+%Ln weitere</numerusform>
      </translation>
    </message>
    <message>
      <source>Discard: do not use this</source>
      <translation>Verwerfen: das nicht verwenden</translation>
    </message>
    <message>
      <source>Important: keep this</source>
      <translation>Wichtig: das behalten</translation>
    </message>
    <message>
      <source>More like this</source>
      <translation>Mehr davon</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation>
        <numerusform>%Ln weitere Quelle zeigen</numerusform>
        <numerusform>%Ln weitere Quellen zeigen</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SourceDelegate</name>
    <message>
      <source>not word for word</source>
      <translation>nicht Wort für Wort</translation>
    </message>
  </context>
  <context>
    <name>SourceStatus</name>
    <message>
      <source>This passage speaks to a language model. The model was told that the words are part of the document.</source>
      <translation>Diese Stelle spricht ein Sprachmodell an. Dem Modell wurde gesagt, dass die Worte zum Dokument gehören.</translation>
    </message>
    <message>
      <source>changed since this answer</source>
      <translation>seit dieser Antwort geändert</translation>
    </message>
    <message>
      <source>contains instructions to a model</source>
      <translation>enthält Anweisungen an ein Modell</translation>
    </message>
    <message>
      <source>its folder is not connected</source>
      <translation>sein Ordner ist nicht verbunden</translation>
    </message>
    <message>
      <source>moved to {path}</source>
      <translation>verschoben nach {path}</translation>
    </message>
    <message>
      <source>no longer in your library</source>
      <translation>nicht mehr in Ihrer Bibliothek</translation>
    </message>
  </context>
  <context>
    <name>SourcesList</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln passage(s) quoted</source>
      <translation>
        <numerusform>%Ln Stelle zitiert</numerusform>
        <numerusform>%Ln Stellen zitiert</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln source(s)</source>
      <translation>
        <numerusform>%Ln Quelle</numerusform>
        <numerusform>%Ln Quellen</numerusform>
      </translation>
    </message>
    <message>
      <source>Comparing with the cited lines…</source>
      <translation>Wird mit den belegten Zeilen verglichen …</translation>
    </message>
    <message numerus="yes">
      <source>Show %Ln more source(s)</source>
      <translation>
        <numerusform>%Ln weitere Quelle zeigen</numerusform>
        <numerusform>%Ln weitere Quellen zeigen</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>SourcesModel</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message>
      <source>Found, not read</source>
      <translation>Gefunden, nicht gelesen</translation>
    </message>
    <message>
      <source>Read, not cited</source>
      <translation>Gelesen, nicht zitiert</translation>
    </message>
    <message numerus="yes">
      <source>cited %Ln time(s)</source>
      <translation>
        <numerusform>%Ln-mal zitiert</numerusform>
        <numerusform>%Ln-mal zitiert</numerusform>
      </translation>
    </message>
    <message>
      <source>folded</source>
      <translation>eingeklappt</translation>
    </message>
    <message>
      <source>unfolded</source>
      <translation>ausgeklappt</translation>
    </message>
  </context>
  <context>
    <name>SourcesView</name>
    <message>
      <source>Open the source</source>
      <translation>Quelle öffnen</translation>
    </message>
    <message>
      <source>Sources of this answer</source>
      <translation>Quellen dieser Antwort</translation>
    </message>
  </context>
  <context>
    <name>StandingControl</name>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Remove the question?</source>
      <translation>Die Frage entfernen?</translation>
    </message>
    <message>
      <source>What has changed?</source>
      <translation>Was hat sich geändert?</translation>
    </message>
    <message>
      <source>“{0}” is not looked at any more, and its answers are removed.</source>
      <translation>„{0}“ wird nicht mehr verfolgt, und die Antworten werden entfernt.</translation>
    </message>
  </context>
  <context>
    <name>StandingDialog</name>
    <message>
      <source>A question</source>
      <translation>Eine Frage</translation>
    </message>
    <message>
      <source>Ask and keep</source>
      <translation>Fragen und behalten</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>Behalten</translation>
    </message>
    <message>
      <source>New standing question</source>
      <translation>Neue stehende Frage</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>Table: {0}</source>
      <translation>Tabelle: {0}</translation>
    </message>
    <message>
      <source>What do you want to be told about?</source>
      <translation>Wovon möchten Sie erfahren?</translation>
    </message>
    <message>
      <source>What to keep</source>
      <translation>Was behalten wird</translation>
    </message>
  </context>
  <context>
    <name>StandingPage</name>
    <message numerus="yes">
      <source>%Ln document(s) new or changed since {0}</source>
      <translation>
        <numerusform>%Ln Dokument neu oder geändert seit {0}</numerusform>
        <numerusform>%Ln Dokumente neu oder geändert seit {0}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln new passage(s) since {0}</source>
      <translation>
        <numerusform>%Ln neue Stelle seit {0}</numerusform>
        <numerusform>%Ln neue Stellen seit {0}</numerusform>
      </translation>
    </message>
    <message>
      <source>Answer of {0}</source>
      <translation>Antwort vom {0}</translation>
    </message>
    <message>
      <source>Fill the table</source>
      <translation>Tabelle ausfüllen</translation>
    </message>
    <message>
      <source>Look now</source>
      <translation>Jetzt nachsehen</translation>
    </message>
    <message>
      <source>New question…</source>
      <translation>Neue Frage…</translation>
    </message>
    <message>
      <source>Nothing new since {0}</source>
      <translation>Nichts Neues seit {0}</translation>
    </message>
    <message>
      <source>Notify me</source>
      <translation>Benachrichtigen</translation>
    </message>
    <message>
      <source>Of what was said before, the new passages say otherwise:</source>
      <translation>Von dem bisher Gesagten sagen die neuen Stellen anderes:</translation>
    </message>
    <message>
      <source>Questions that stay</source>
      <translation>Fragen, die bleiben</translation>
    </message>
    <message>
      <source>Remove the question…</source>
      <translation>Frage entfernen…</translation>
    </message>
    <message>
      <source>Standing questions</source>
      <translation>Stehende Fragen</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>The last look failed: {0}</source>
      <translation>Die letzte Suche ist gescheitert: {0}</translation>
    </message>
    <message>
      <source>These words of the answer stand in no document any more:</source>
      <translation>Diese Worte der Antwort stehen in keinem Dokument mehr:</translation>
    </message>
    <message>
      <source>What changed from {0} to {1}</source>
      <translation>Was sich von {0} bis {1} geändert hat</translation>
    </message>
    <message>
      <source>What has changed?</source>
      <translation>Was hat sich geändert?</translation>
    </message>
    <message>
      <source>When documents are added or changed, only these are searched, and you see what is new.</source>
      <translation>Kommen Dokumente dazu oder ändern sich, werden nur diese durchsucht, und Sie sehen, was neu ist.</translation>
    </message>
    <message>
      <source>the last look failed</source>
      <translation>die letzte Suche ist gescheitert</translation>
    </message>
  </context>
  <context>
    <name>StatisticsView</name>
    <message>
      <source>Backups</source>
      <translation>Sicherungen</translation>
    </message>
    <message>
      <source>Conversations</source>
      <translation>Gespräche</translation>
    </message>
    <message>
      <source>Files</source>
      <translation>Dateien</translation>
    </message>
    <message>
      <source>Files by state</source>
      <translation>Dateien nach Zustand</translation>
    </message>
    <message>
      <source>Languages</source>
      <translation>Sprachen</translation>
    </message>
    <message>
      <source>Meaning index</source>
      <translation>Bedeutungsindex</translation>
    </message>
    <message>
      <source>No language</source>
      <translation>Keine Sprache</translation>
    </message>
    <message>
      <source>On your disk</source>
      <translation>Auf Ihrer Festplatte</translation>
    </message>
    <message>
      <source>Others</source>
      <translation>Andere</translation>
    </message>
    <message>
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
    <message>
      <source>Searchable</source>
      <translation>Durchsuchbar</translation>
    </message>
    <message>
      <source>Size of files</source>
      <translation>Größe der Dateien</translation>
    </message>
    <message>
      <source>Statistics</source>
      <translation>Statistik</translation>
    </message>
    <message>
      <source>Texts (catalog)</source>
      <translation>Texte (Katalog)</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Zusammen</translation>
    </message>
    <message>
      <source>Types</source>
      <translation>Typen</translation>
    </message>
    <message>
      <source>Word index</source>
      <translation>Wortindex</translation>
    </message>
    <message>
      <source>Words</source>
      <translation>Wörter</translation>
    </message>
  </context>
  <context>
    <name>StepSlider</name>
    <message>
      <source>Ask again from here…</source>
      <translation>Ab hier noch einmal fragen…</translation>
    </message>
    <message>
      <source>Show the next step</source>
      <translation>Nächsten Schritt zeigen</translation>
    </message>
    <message>
      <source>Show the step before</source>
      <translation>Vorigen Schritt zeigen</translation>
    </message>
    <message>
      <source>Step shown</source>
      <translation>Gezeigter Schritt</translation>
    </message>
    <message>
      <source>Step {number} of {count}</source>
      <translation>Schritt {number} von {count}</translation>
    </message>
    <message>
      <source>{0} cached</source>
      <translation>{0} zwischengespeichert</translation>
    </message>
    <message>
      <source>{0} thinking</source>
      <translation>{0} Denken</translation>
    </message>
  </context>
  <context>
    <name>StoredPassage</name>
    <message>
      <source>As it was then</source>
      <translation>Wie es damals war</translation>
    </message>
    <message>
      <source>The passage as it was then</source>
      <translation>Die Stelle, wie sie damals war</translation>
    </message>
    <message>
      <source>What has changed</source>
      <translation>Was sich geändert hat</translation>
    </message>
    <message>
      <source>What has changed in it</source>
      <translation>Was sich darin geändert hat</translation>
    </message>
  </context>
  <context>
    <name>StoryRows</name>
    <message numerus="yes">
      <source>%Ln earlier row(s)</source>
      <translation>
        <numerusform>%Ln frühere Zeile</numerusform>
        <numerusform>%Ln frühere Zeilen</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>TabHeader</name>
    <message>
      <source>Bookmark this passage</source>
      <translation>Lesezeichen an dieser Stelle</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>Zitat mit Quelle kopieren</translation>
    </message>
    <message>
      <source>Open elsewhere, copy, add a note</source>
      <translation>Anderswo öffnen, kopieren, Notiz hinzufügen</translation>
    </message>
  </context>
  <context>
    <name>TabStrip</name>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Close the others</source>
      <translation>Die anderen schließen</translation>
    </message>
    <message>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <source>Open documents</source>
      <translation>Offene Dokumente</translation>
    </message>
    <message>
      <source>Preview; double-click to keep it open</source>
      <translation>Vorschau; Doppelklick hält sie offen</translation>
    </message>
  </context>
  <context>
    <name>TableControl</name>
    <message>
      <source>Correct</source>
      <translation>Korrigieren</translation>
    </message>
    <message>
      <source>Correct “{0}”</source>
      <translation>„{0}“ korrigieren</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete the table?</source>
      <translation>Die Tabelle löschen?</translation>
    </message>
    <message>
      <source>Export the table</source>
      <translation>Tabelle exportieren</translation>
    </message>
    <message>
      <source>Found in the document: {0}</source>
      <translation>Im Dokument gefunden: {0}</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Rename the table</source>
      <translation>Tabelle umbenennen</translation>
    </message>
    <message>
      <source>Table saved to {0}</source>
      <translation>Tabelle gespeichert als {0}</translation>
    </message>
    <message>
      <source>“{0}” and all its cells are deleted. The documents stay.</source>
      <translation>„{0}“ und alle Zellen werden gelöscht. Die Dokumente bleiben.</translation>
    </message>
  </context>
  <context>
    <name>TableDialog</name>
    <message>
      <source>Add a question</source>
      <translation>Frage hinzufügen</translation>
    </message>
    <message>
      <source>Change</source>
      <translation>Ändern</translation>
    </message>
    <message>
      <source>Change the columns</source>
      <translation>Spalten ändern</translation>
    </message>
    <message>
      <source>Make the table</source>
      <translation>Tabelle anlegen</translation>
    </message>
    <message>
      <source>Name of the table</source>
      <translation>Name der Tabelle</translation>
    </message>
    <message>
      <source>Name of the table; empty: its questions</source>
      <translation>Name der Tabelle; leer: ihre Fragen</translation>
    </message>
    <message>
      <source>New table</source>
      <translation>Neue Tabelle</translation>
    </message>
    <message>
      <source>Shared by these documents:</source>
      <translation>Haben diese Dokumente gemeinsam:</translation>
    </message>
  </context>
  <context>
    <name>TableModel</name>
    <message>
      <source>({0} left out)</source>
      <translation>({0} nicht mitgezählt)</translation>
    </message>
    <message>
      <source>Document</source>
      <translation>Dokument</translation>
    </message>
  </context>
  <context>
    <name>TablePage</name>
    <message>
      <source>All rows</source>
      <translation>Alle Zeilen</translation>
    </message>
    <message>
      <source>Ask again</source>
      <translation>Noch einmal fragen</translation>
    </message>
    <message>
      <source>Ask the same questions of many documents</source>
      <translation>Vielen Dokumenten dieselben Fragen stellen</translation>
    </message>
    <message>
      <source>By {0}</source>
      <translation>Nach {0}</translation>
    </message>
    <message>
      <source>Change the columns…</source>
      <translation>Spalten ändern…</translation>
    </message>
    <message>
      <source>Changed since</source>
      <translation>Seither geändert</translation>
    </message>
    <message>
      <source>Corrected</source>
      <translation>Korrigiert</translation>
    </message>
    <message>
      <source>Correct…</source>
      <translation>Korrigieren…</translation>
    </message>
    <message>
      <source>Delete the table…</source>
      <translation>Tabelle löschen…</translation>
    </message>
    <message>
      <source>Doubtful</source>
      <translation>Zweifelhaft</translation>
    </message>
    <message>
      <source>Export as CSV…</source>
      <translation>Als CSV exportieren…</translation>
    </message>
    <message>
      <source>Export as Excel workbook…</source>
      <translation>Als Excel-Arbeitsmappe exportieren…</translation>
    </message>
    <message>
      <source>Export as Markdown…</source>
      <translation>Als Markdown exportieren…</translation>
    </message>
    <message>
      <source>Fill</source>
      <translation>Ausfüllen</translation>
    </message>
    <message>
      <source>Filter the rows</source>
      <translation>Zeilen filtern</translation>
    </message>
    <message>
      <source>Groups</source>
      <translation>Gruppen</translation>
    </message>
    <message>
      <source>New table…</source>
      <translation>Neue Tabelle…</translation>
    </message>
    <message>
      <source>No cell is selected</source>
      <translation>Keine Zelle ist ausgewählt</translation>
    </message>
    <message>
      <source>No groups</source>
      <translation>Keine Gruppen</translation>
    </message>
    <message>
      <source>Not answered</source>
      <translation>Nicht beantwortet</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>Nicht gefunden</translation>
    </message>
    <message>
      <source>On a table</source>
      <translation>In einer Tabelle</translation>
    </message>
    <message>
      <source>Open the line</source>
      <translation>Zeile öffnen</translation>
    </message>
    <message>
      <source>Remove from the table</source>
      <translation>Aus der Tabelle entfernen</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>Umbenennen…</translation>
    </message>
    <message>
      <source>Rows are documents, columns are your questions; each value is proven by its line.</source>
      <translation>Zeilen sind Dokumente, Spalten Ihre Fragen; jeder Wert ist mit seiner Zeile belegt.</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>In den Notizen speichern</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <source>Tables</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <source>Take the correction back</source>
      <translation>Korrektur zurücknehmen</translation>
    </message>
    <message>
      <source>Which rows</source>
      <translation>Welche Zeilen</translation>
    </message>
  </context>
  <context>
    <name>TableWording</name>
    <message>
      <source>Amount</source>
      <translation>Betrag</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Datum</translation>
    </message>
    <message>
      <source>One of</source>
      <translation>Eines von</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>Yes or no</source>
      <translation>Ja oder nein</translation>
    </message>
    <message>
      <source>asking…</source>
      <translation>wird gefragt…</translation>
    </message>
    <message>
      <source>corrected by hand</source>
      <translation>von Hand korrigiert</translation>
    </message>
    <message>
      <source>doubtful</source>
      <translation>zweifelhaft</translation>
    </message>
    <message>
      <source>found: {0}</source>
      <translation>gefunden: {0}</translation>
    </message>
    <message>
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <source>no answer</source>
      <translation>keine Antwort</translation>
    </message>
    <message>
      <source>not asked yet</source>
      <translation>noch nicht gefragt</translation>
    </message>
    <message>
      <source>not found</source>
      <translation>nicht gefunden</translation>
    </message>
    <message>
      <source>not found without a model</source>
      <translation>ohne Modell nicht gefunden</translation>
    </message>
    <message>
      <source>not in this document</source>
      <translation>nicht in diesem Dokument</translation>
    </message>
    <message>
      <source>the document has changed since</source>
      <translation>das Dokument hat sich seither geändert</translation>
    </message>
    <message>
      <source>the document is gone</source>
      <translation>das Dokument ist weg</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>ja</translation>
    </message>
    <message>
      <source>{0} of {1} cells</source>
      <translation>{0} von {1} Zellen</translation>
    </message>
    <message>
      <source>“{0}”</source>
      <translation>„{0}“</translation>
    </message>
  </context>
  <context>
    <name>TagsDialog</name>
    <message>
      <source>For example: taxes 2024</source>
      <translation>Zum Beispiel: Steuern 2024</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Separate tags by spaces. In the search field of the conversations, tag:name finds them.</source>
      <translation>Trennen Sie Schlagwörter durch Leerzeichen. Im Suchfeld der Gespräche findet tag:Name sie.</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>Schlagwörter</translation>
    </message>
  </context>
  <context>
    <name>TeamControl</name>
    <message>
      <source>Something went wrong: {0}</source>
      <translation>Etwas ist schiefgegangen: {0}</translation>
    </message>
  </context>
  <context>
    <name>TeamLibraryDialog</name>
    <message>
      <source>Access key</source>
      <translation>Zugangsschlüssel</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>Hinzufügen</translation>
    </message>
    <message>
      <source>Add team library</source>
      <translation>Team-Bibliothek hinzufügen</translation>
    </message>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>All files (*)</source>
      <translation>Alle Dateien (*)</translation>
    </message>
    <message>
      <source>As before</source>
      <translation>Wie bisher</translation>
    </message>
    <message>
      <source>Asking the server…</source>
      <translation>Der Server wird gefragt…</translation>
    </message>
    <message>
      <source>Certificate</source>
      <translation>Zertifikat</translation>
    </message>
    <message>
      <source>Certificate of the server's authority</source>
      <translation>Zertifikat der Zertifizierungsstelle des Servers</translation>
    </message>
    <message>
      <source>Certificates (*.pem *.crt *.cer)</source>
      <translation>Zertifikate (*.pem *.crt *.cer)</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Auswählen…</translation>
    </message>
    <message>
      <source>Drive with its files, to see pages</source>
      <translation>Laufwerk mit ihren Dateien, um Seiten zu sehen</translation>
    </message>
    <message>
      <source>Edit team library</source>
      <translation>Team-Bibliothek bearbeiten</translation>
    </message>
    <message>
      <source>For example: Office</source>
      <translation>Zum Beispiel: Büro</translation>
    </message>
    <message>
      <source>For example: {0}</source>
      <translation>Zum Beispiel: {0}</translation>
    </message>
    <message>
      <source>If the system lacks it</source>
      <translation>Falls dem System unbekannt</translation>
    </message>
    <message>
      <source>Its secret</source>
      <translation>Sein Geheimnis</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>No keychain: start the program with it in the environment</source>
      <translation>Kein Schlüsselbund: Starten Sie das Programm damit in der Umgebung</translation>
    </message>
    <message>
      <source>Or a store (S3) with its files</source>
      <translation>Oder ein Speicher (S3) mit seinen Dateien</translation>
    </message>
    <message>
      <source>Password of the key, if it has one</source>
      <translation>Passwort des Schlüssels, falls er eines hat</translation>
    </message>
    <message>
      <source>Password, kept in the keychain</source>
      <translation>Passwort, im Schlüsselbund aufbewahrt</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Sign in with</source>
      <translation>Anmelden mit</translation>
    </message>
    <message>
      <source>The certificate and its key in one file</source>
      <translation>Zertifikat und Schlüssel in einer Datei</translation>
    </message>
    <message>
      <source>The documents stay on the server; your conversations and notes stay on this computer.</source>
      <translation>Die Dokumente bleiben auf dem Server; Ihre Gespräche und Notizen bleiben auf diesem Computer.</translation>
    </message>
    <message>
      <source>Token</source>
      <translation>Token</translation>
    </message>
    <message>
      <source>Token, kept in the keychain</source>
      <translation>Token, im Schlüsselbund aufbewahrt</translation>
    </message>
    <message>
      <source>User</source>
      <translation>Benutzer</translation>
    </message>
    <message>
      <source>User and password</source>
      <translation>Benutzer und Passwort</translation>
    </message>
    <message>
      <source>Your certificate and its key</source>
      <translation>Ihr Zertifikat und sein Schlüssel</translation>
    </message>
  </context>
  <context>
    <name>TextPane</name>
    <message>
      <source>Position in the document</source>
      <translation>Position im Dokument</translation>
    </message>
  </context>
  <context>
    <name>Thumbnails</name>
    <message>
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
  </context>
  <context>
    <name>TimeLeft</name>
    <message>
      <source>a few seconds</source>
      <translation>ein paar Sekunden</translation>
    </message>
    <message>
      <source>about a day or more</source>
      <translation>etwa einen Tag oder länger</translation>
    </message>
    <message>
      <source>about a minute</source>
      <translation>etwa eine Minute</translation>
    </message>
    <message>
      <source>about a quarter of an hour</source>
      <translation>etwa eine Viertelstunde</translation>
    </message>
    <message>
      <source>about an hour</source>
      <translation>etwa eine Stunde</translation>
    </message>
    <message>
      <source>about half a minute</source>
      <translation>etwa eine halbe Minute</translation>
    </message>
    <message>
      <source>about half an hour</source>
      <translation>etwa eine halbe Stunde</translation>
    </message>
    <message>
      <source>about {0} hours</source>
      <translation>etwa {0} Stunden</translation>
    </message>
    <message>
      <source>about {0} minutes</source>
      <translation>etwa {0} Minuten</translation>
    </message>
  </context>
  <context>
    <name>Timeline</name>
    <message>
      <source>Answered in {time}</source>
      <translation>Beantwortet in {time}</translation>
    </message>
    <message>
      <source>Checking whether the server read the whole question</source>
      <translation>Prüft, ob der Server die ganze Frage gelesen hat</translation>
    </message>
    <message>
      <source>Comparing with the cited lines</source>
      <translation>Vergleicht mit den belegten Zeilen</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>Fehlgeschlagen</translation>
    </message>
    <message>
      <source>Loading the model: {0}</source>
      <translation>Das Modell wird geladen: {0}</translation>
    </message>
    <message>
      <source>Paused</source>
      <translation>Angehalten</translation>
    </message>
    <message>
      <source>Queued: begins when another answer is finished</source>
      <translation>Wartet: beginnt, wenn eine andere Antwort fertig ist</translation>
    </message>
    <message>
      <source>Searched for {time}</source>
      <translation>{time} gesucht</translation>
    </message>
    <message>
      <source>Steps of this run</source>
      <translation>Schritte dieses Laufs</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>Angehalten</translation>
    </message>
    <message>
      <source>Stopped after {time}</source>
      <translation>Nach {time} angehalten</translation>
    </message>
    <message>
      <source>The model asks to wait: {0}</source>
      <translation>Das Modell bittet zu warten: {0}</translation>
    </message>
    <message>
      <source>The model reads the question and what was found: {0} of {1}</source>
      <translation>Das Modell liest die Frage und das Gefundene: {0} von {1}</translation>
    </message>
    <message>
      <source>The model reads the question and what was found: {0} of {1}, about {2} left</source>
      <translation>Das Modell liest die Frage und das Gefundene: {0} von {1}, noch etwa {2}</translation>
    </message>
    <message>
      <source>Thinking</source>
      <translation>Denkt nach</translation>
    </message>
    <message>
      <source>Trying again</source>
      <translation>Versucht es erneut</translation>
    </message>
    <message>
      <source>Waiting for the model's first words</source>
      <translation>Warten auf die ersten Wörter des Modells</translation>
    </message>
    <message>
      <source>Waiting for your decision</source>
      <translation>Wartet auf Ihre Entscheidung</translation>
    </message>
    <message>
      <source>Waiting for your decision: {0}</source>
      <translation>Wartet auf Ihre Entscheidung: {0}</translation>
    </message>
    <message>
      <source>Waiting: the model is writing another answer</source>
      <translation>Warten: Das Modell schreibt eine andere Antwort</translation>
    </message>
    <message>
      <source>Writing the answer</source>
      <translation>Schreibt die Antwort</translation>
    </message>
    <message>
      <source>{1}. Trying again in {0}</source>
      <translation>{1}. Neuer Versuch in {0}</translation>
    </message>
  </context>
  <context>
    <name>TimelineHeader</name>
    <message>
      <source>Hides the steps of this run</source>
      <translation>Verbirgt die Schritte dieses Laufs</translation>
    </message>
    <message>
      <source>Shows the steps of this run</source>
      <translation>Zeigt die Schritte dieses Laufs</translation>
    </message>
  </context>
  <context>
    <name>Toast</name>
    <message>
      <source>Close this note</source>
      <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
  </context>
  <context>
    <name>TokenMeter</name>
    <message numerus="yes">
      <source>%Ln result(s) left the context to make room</source>
      <translation>
        <numerusform>%Ln Ergebnis verließ den Kontext, um Platz zu machen</numerusform>
        <numerusform>%Ln Ergebnisse verließen den Kontext, um Platz zu machen</numerusform>
      </translation>
    </message>
    <message>
      <source>Context: {used}</source>
      <translation>Kontext: {used}</translation>
    </message>
    <message>
      <source>Money of this run</source>
      <translation>Kosten dieses Laufs</translation>
    </message>
    <message>
      <source>Money this month</source>
      <translation>Kosten in diesem Monat</translation>
    </message>
    <message>
      <source>Money today</source>
      <translation>Kosten heute</translation>
    </message>
    <message>
      <source>No run yet</source>
      <translation>Noch kein Lauf</translation>
    </message>
    <message>
      <source>The answer was cut off: the room kept for it was full</source>
      <translation>Die Antwort wurde abgeschnitten: der Platz dafür war voll</translation>
    </message>
    <message>
      <source>The context is nearly full</source>
      <translation>Der Kontext ist fast voll</translation>
    </message>
    <message>
      <source>This run: {tokens}</source>
      <translation>Dieser Lauf: {tokens}</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>Token</translation>
    </message>
    <message>
      <source>{amount} of {limit}</source>
      <translation>{amount} von {limit}</translation>
    </message>
    <message>
      <source>~ means estimated: the model reports no token counts</source>
      <translation>~ bedeutet geschätzt: Das Modell meldet keine Tokenzahlen</translation>
    </message>
  </context>
  <context>
    <name>ToolRow</name>
    <message>
      <source>Find in this document</source>
      <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
      <source>Outline, pages, matches, bookmarks</source>
      <translation>Gliederung, Seiten, Treffer, Lesezeichen</translation>
    </message>
    <message>
      <source>Wrap long lines</source>
      <translation>Lange Zeilen umbrechen</translation>
    </message>
  </context>
  <context>
    <name>Tour</name>
    <message>
      <source>A click on this line shows each search and each page that was read, also while it runs.</source>
      <translation>Ein Klick auf diese Zeile zeigt jede Suche und jede gelesene Seite, auch während es läuft.</translation>
    </message>
    <message>
      <source>Add them and begin</source>
      <translation>Hinzufügen und beginnen</translation>
    </message>
    <message>
      <source>All files, and their problems</source>
      <translation>Alle Dateien und ihre Probleme</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>Fragen</translation>
    </message>
    <message>
      <source>Ask in your own words. A question about the sample documents is already written here.</source>
      <translation>Fragen Sie mit eigenen Worten. Eine Frage zu den Beispieldokumenten steht schon hier.</translation>
    </message>
    <message>
      <source>Ask it</source>
      <translation>Fragen</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <source>Drop a folder or a file anywhere on the window and it appears here. Words can be found first, meaning follows. A right click pauses, explains, or sets rules.</source>
      <translation>Legen Sie einen Ordner oder eine Datei irgendwo auf dem Fenster ab, und sie erscheint hier. Zuerst sind Wörter zu finden, dann die Bedeutung. Ein Rechtsklick hält an, erklärt oder setzt Regeln.</translation>
    </message>
    <message>
      <source>Every claim has its source</source>
      <translation>Jede Aussage hat ihre Quelle</translation>
    </message>
    <message>
      <source>How it was found</source>
      <translation>Wie es gefunden wurde</translation>
    </message>
    <message>
      <source>Lists every file, what could not be read, and why. Beside your own folders, the sample of this tour is removed at its end; else select “sample” above and press Del.</source>
      <translation>Zeigt jede Datei, was nicht gelesen werden konnte und warum. Neben eigenen Ordnern wird das Beispiel dieses Rundgangs an dessen Ende entfernt; sonst oben „sample“ auswählen und Entf drücken.</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Sample documents</source>
      <translation>Beispieldokumente</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Searches every word of every file while you type. Quotation marks, NOT and fields such as from: work too; the page explains them.</source>
      <translation>Durchsucht jedes Wort jeder Datei, während Sie tippen. Anführungszeichen, NOT und Felder wie from: gehen auch; die Seite erklärt sie.</translation>
    </message>
    <message>
      <source>The answer grows here. Click a number such as [1]: the document opens at the very words. Statements without a source are marked.</source>
      <translation>Hier wächst die Antwort. Klicken Sie auf eine Nummer wie [1]: das Dokument öffnet sich genau an den Worten. Aussagen ohne Quelle sind gekennzeichnet.</translation>
    </message>
    <message>
      <source>The tour asks about a few sample documents, which are added to your library. If it has folders of your own, they leave it at the end of the tour.</source>
      <translation>Der Rundgang stellt eine Frage zu einigen Beispieldokumenten, die Ihrer Bibliothek hinzugefügt werden. Hat sie eigene Ordner, verlassen sie sie am Ende des Rundgangs wieder.</translation>
    </message>
    <message>
      <source>Tour, {0} of {1}</source>
      <translation>Rundgang, {0} von {1}</translation>
    </message>
    <message>
      <source>Your folders</source>
      <translation>Ihre Ordner</translation>
    </message>
  </context>
  <context>
    <name>TourCard</name>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Leave the tour</source>
      <translation>Rundgang verlassen</translation>
    </message>
  </context>
  <context>
    <name>TrayIcon</name>
    <message>
      <source>New question</source>
      <translation>Neue Frage</translation>
    </message>
    <message>
      <source>Open Desktop RAG</source>
      <translation>Desktop RAG öffnen</translation>
    </message>
    <message>
      <source>Pause reading</source>
      <translation>Lesen anhalten</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>Resume reading</source>
      <translation>Lesen fortsetzen</translation>
    </message>
  </context>
  <context>
    <name>TurnView</name>
    <message numerus="yes">
      <source>%Ln passage(s) read</source>
      <translation>
        <numerusform>%Ln Stelle gelesen</numerusform>
        <numerusform>%Ln Stellen gelesen</numerusform>
      </translation>
    </message>
    <message>
      <source>A language model can do this</source>
      <translation>Das kann ein Sprachmodell</translation>
    </message>
    <message>
      <source>A limit ended the search</source>
      <translation>Eine Grenze beendete die Suche</translation>
    </message>
    <message>
      <source>Add a folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>After this step: {passages}, {documents}.</source>
      <translation>Nach diesem Schritt: {passages}, {documents}.</translation>
    </message>
    <message>
      <source>Answer again</source>
      <translation>Noch einmal antworten</translation>
    </message>
    <message>
      <source>Answer now</source>
      <translation>Jetzt antworten</translation>
    </message>
    <message>
      <source>Answer with the built-in passages</source>
      <translation>Mit den eingebauten Textstellen antworten</translation>
    </message>
    <message>
      <source>Ask again</source>
      <translation>Noch einmal fragen</translation>
    </message>
    <message>
      <source>Ask again from a step…</source>
      <translation>Ab einem Schritt noch einmal fragen…</translation>
    </message>
    <message>
      <source>Ask again with twice the room</source>
      <translation>Noch einmal fragen, mit doppeltem Platz</translation>
    </message>
    <message>
      <source>Ask now</source>
      <translation>Jetzt fragen</translation>
    </message>
    <message>
      <source>Branch from here</source>
      <translation>Von hier abzweigen</translation>
    </message>
    <message>
      <source>Compare the marked statements with the lines that they cite.</source>
      <translation>Vergleichen Sie die markierten Aussagen mit den Zeilen, die sie belegen sollen.</translation>
    </message>
    <message>
      <source>Compare with another run…</source>
      <translation>Mit einem anderen Lauf vergleichen…</translation>
    </message>
    <message>
      <source>Connect a model…</source>
      <translation>Modell verbinden…</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <source>Continue from here</source>
      <translation>Von hier fortsetzen</translation>
    </message>
    <message>
      <source>Continue searching</source>
      <translation>Weitersuchen</translation>
    </message>
    <message>
      <source>Copy as Markdown</source>
      <translation>Als Markdown kopieren</translation>
    </message>
    <message>
      <source>Copy as plain text</source>
      <translation>Als reinen Text kopieren</translation>
    </message>
    <message>
      <source>Copy the answer</source>
      <translation>Antwort kopieren</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Interrupted</source>
      <translation>Unterbrochen</translation>
    </message>
    <message>
      <source>More about this run</source>
      <translation>Mehr zu diesem Lauf</translation>
    </message>
    <message numerus="yes">
      <source>No answer found in the %Ln document(s) chosen</source>
      <translation>
        <numerusform>Keine Antwort im gewählten Dokument gefunden</numerusform>
        <numerusform>Keine Antwort in den %Ln gewählten Dokumenten gefunden</numerusform>
      </translation>
    </message>
    <message>
      <source>No answer found in your library</source>
      <translation>Keine Antwort in Ihrer Bibliothek gefunden</translation>
    </message>
    <message>
      <source>No source named</source>
      <translation>Keine Quelle genannt</translation>
    </message>
    <message>
      <source>Not found in the cited lines</source>
      <translation>In den belegten Zeilen nicht gefunden</translation>
    </message>
    <message>
      <source>Nothing was written yet.</source>
      <translation>Noch wurde nichts geschrieben.</translation>
    </message>
    <message>
      <source>Open settings</source>
      <translation>Einstellungen öffnen</translation>
    </message>
    <message>
      <source>Quote what was found</source>
      <translation>Zitieren, was gefunden wurde</translation>
    </message>
    <message>
      <source>Retry now</source>
      <translation>Jetzt wiederholen</translation>
    </message>
    <message>
      <source>Save to notes</source>
      <translation>In den Notizen speichern</translation>
    </message>
    <message>
      <source>Search again, without the model</source>
      <translation>Noch einmal suchen, ohne das Modell</translation>
    </message>
    <message>
      <source>Search all documents</source>
      <translation>Alle Dokumente durchsuchen</translation>
    </message>
    <message>
      <source>Search further?</source>
      <translation>Weiter suchen?</translation>
    </message>
    <message>
      <source>Spend more than your limit?</source>
      <translation>Mehr als Ihre Grenze ausgeben?</translation>
    </message>
    <message>
      <source>The answer uses what was found until then.</source>
      <translation>Die Antwort verwendet, was bis dahin gefunden wurde.</translation>
    </message>
    <message>
      <source>The answer was cut off</source>
      <translation>Die Antwort wurde abgeschnitten</translation>
    </message>
    <message>
      <source>The built-in model only quotes your documents.</source>
      <translation>Das eingebaute Modell zitiert nur Ihre Dokumente.</translation>
    </message>
    <message>
      <source>The cited lines seem to say otherwise</source>
      <translation>Die belegten Zeilen scheinen es anders zu sagen</translation>
    </message>
    <message>
      <source>The documents that were searched do not answer this. Try other words.</source>
      <translation>Die durchsuchten Dokumente beantworten das nicht. Versuchen Sie andere Wörter.</translation>
    </message>
    <message>
      <source>The model named no source for this answer.</source>
      <translation>Das Modell hat für diese Antwort keine Quelle genannt.</translation>
    </message>
    <message>
      <source>The program ended before the answer was complete.</source>
      <translation>Das Programm endete, bevor die Antwort vollständig war.</translation>
    </message>
    <message>
      <source>The program ended before this question was asked.</source>
      <translation>Das Programm endete, bevor diese Frage gestellt wurde.</translation>
    </message>
    <message>
      <source>The request is repeated by itself when the time is over.</source>
      <translation>Nach Ablauf der Zeit wird die Anfrage von selbst wiederholt.</translation>
    </message>
    <message>
      <source>The room kept for it was full, so the model could not end it.</source>
      <translation>Der Platz für die Antwort war voll, darum konnte das Modell sie nicht beenden.</translation>
    </message>
    <message>
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
    <message>
      <source>What was written so far is kept.</source>
      <translation>Was bis jetzt geschrieben wurde, bleibt.</translation>
    </message>
    <message>
      <source>You stopped this run</source>
      <translation>Sie haben diesen Lauf angehalten</translation>
    </message>
    <message>
      <source>{0} Nothing was written yet.</source>
      <translation>{0} Noch wurde nichts geschrieben.</translation>
    </message>
  </context>
  <context>
    <name>UpdateDialog</name>
    <message>
      <source>Address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <source>Asking…</source>
      <translation>Wird gefragt…</translation>
    </message>
    <message>
      <source>Check for updates</source>
      <translation>Nach Aktualisierungen suchen</translation>
    </message>
    <message>
      <source>Check now</source>
      <translation>Jetzt suchen</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Notes and files of the release</source>
      <translation>Hinweise und Dateien der Version</translation>
    </message>
    <message>
      <source>Open its page</source>
      <translation>Webseite öffnen</translation>
    </message>
    <message>
      <source>The address cannot be reached: {0}</source>
      <translation>Die Adresse ist nicht erreichbar: {0}</translation>
    </message>
    <message>
      <source>The address sends the question on to another one, which is not followed: {0}</source>
      <translation>Die Adresse leitet auf eine andere weiter, der nicht gefolgt wird: {0}</translation>
    </message>
    <message>
      <source>The answer is no list of releases of Desktop RAG.</source>
      <translation>Die Antwort ist keine Versionsliste von Desktop RAG.</translation>
    </message>
    <message>
      <source>The answer is too large for a list of releases; it was not read.</source>
      <translation>Die Antwort ist zu groß für eine Versionsliste; sie wurde nicht gelesen.</translation>
    </message>
    <message>
      <source>The list of releases is made for a later version than yours. Look at its web page.</source>
      <translation>Die Versionsliste ist für eine neuere Version als Ihre bestimmt. Sehen Sie auf der Webseite nach.</translation>
    </message>
    <message>
      <source>The server answered with the error {0}.</source>
      <translation>Der Server antwortete mit dem Fehler {0}.</translation>
    </message>
    <message>
      <source>This is no usable address: it must begin with https:// and contain no password.</source>
      <translation>Diese Adresse ist nicht verwendbar: Sie muss mit https:// beginnen und darf kein Passwort enthalten.</translation>
    </message>
    <message>
      <source>Version {0} of {1} is available. Nothing was downloaded.</source>
      <translation>Version {0} vom {1} ist verfügbar. Es wurde nichts heruntergeladen.</translation>
    </message>
    <message>
      <source>Whoever gave you the program can tell you the address. It is asked when you press the button, and at no other time. It learns your network address and nothing else. Nothing is downloaded by itself.</source>
      <translation>Die Adresse nennt Ihnen, wer Ihnen das Programm gegeben hat. Sie wird nur gefragt, wenn Sie die Schaltfläche drücken. Sie erfährt Ihre Netzwerkadresse und sonst nichts. Nichts wird von selbst heruntergeladen.</translation>
    </message>
    <message>
      <source>You have the newest version. The address knows version {0} of {1}.</source>
      <translation>Sie haben die neueste Version. Die Adresse kennt Version {0} vom {1}.</translation>
    </message>
    <message>
      <source>Your version</source>
      <translation>Ihre Version</translation>
    </message>
    <message>
      <source>{0} ({1})
SHA-256 {2}</source>
      <translation>{0} ({1})
SHA-256 {2}</translation>
    </message>
  </context>
  <context>
    <name>VariantSwitch</name>
    <message>
      <source>Next variant</source>
      <translation>Nächste Variante</translation>
    </message>
    <message>
      <source>Previous variant</source>
      <translation>Vorige Variante</translation>
    </message>
    <message>
      <source>Variant {place} of {count}</source>
      <translation>Variante {place} von {count}</translation>
    </message>
    <message>
      <source>Variants of this question</source>
      <translation>Varianten dieser Frage</translation>
    </message>
  </context>
  <context>
    <name>ViewChoice</name>
    <message>
      <source>Page</source>
      <translation>Seite</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>Lesen</translation>
    </message>
    <message>
      <source>Show it as a clean page</source>
      <translation>Als saubere Seite zeigen</translation>
    </message>
    <message>
      <source>Show it as a table</source>
      <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
      <source>Show the lines of the file</source>
      <translation>Die Zeilen der Datei zeigen</translation>
    </message>
    <message>
      <source>Show the printed pages</source>
      <translation>Die gedruckten Seiten zeigen</translation>
    </message>
    <message>
      <source>Show the text that was read from it</source>
      <translation>Den daraus gelesenen Text zeigen</translation>
    </message>
    <message>
      <source>Source</source>
      <translation>Quelltext</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>Text</translation>
    </message>
  </context>
  <context>
    <name>ViewerPanel</name>
    <message>
      <source>Add a note</source>
      <translation>Notiz hinzufügen</translation>
    </message>
    <message>
      <source>Back to where you were</source>
      <translation>Zurück, wo Sie waren</translation>
    </message>
    <message>
      <source>Bookmark this passage</source>
      <translation>Lesezeichen an dieser Stelle</translation>
    </message>
    <message>
      <source>Close the document</source>
      <translation>Dokument schließen</translation>
    </message>
    <message>
      <source>Copy quote with reference</source>
      <translation>Zitat mit Quelle kopieren</translation>
    </message>
    <message>
      <source>Delete the bookmark</source>
      <translation>Lesezeichen löschen</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>Dokumente</translation>
    </message>
    <message>
      <source>Edit the note</source>
      <translation>Notiz bearbeiten</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <source>Forward again</source>
      <translation>Wieder vor</translation>
    </message>
    <message>
      <source>In a document</source>
      <translation>In einem Dokument</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>Größer</translation>
    </message>
    <message>
      <source>Next citation of the answer</source>
      <translation>Nächster Beleg der Antwort</translation>
    </message>
    <message>
      <source>Next document</source>
      <translation>Nächstes Dokument</translation>
    </message>
    <message>
      <source>Next match</source>
      <translation>Nächster Treffer</translation>
    </message>
    <message>
      <source>No document is open</source>
      <translation>Kein Dokument ist offen</translation>
    </message>
    <message>
      <source>On a selected bookmark</source>
      <translation>Für ein ausgewähltes Lesezeichen</translation>
    </message>
    <message>
      <source>Open a source of an answer to read it here.</source>
      <translation>Öffnen Sie eine Quelle einer Antwort, um sie hier zu lesen.</translation>
    </message>
    <message>
      <source>Open in my editor at this line</source>
      <translation>An dieser Zeile in meinem Editor öffnen</translation>
    </message>
    <message>
      <source>Outline, pages, matches</source>
      <translation>Gliederung, Seiten, Treffer</translation>
    </message>
    <message>
      <source>Previous citation of the answer</source>
      <translation>Voriger Beleg der Antwort</translation>
    </message>
    <message>
      <source>Previous document</source>
      <translation>Voriges Dokument</translation>
    </message>
    <message>
      <source>Previous match</source>
      <translation>Voriger Treffer</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>Kleiner</translation>
    </message>
    <message>
      <source>Usual size</source>
      <translation>Übliche Größe</translation>
    </message>
  </context>
  <context>
    <name>WelcomeView</name>
    <message>
      <source>Add a folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Ask your documents</source>
      <translation>Fragen Sie Ihre Dokumente</translation>
    </message>
    <message>
      <source>Connect a model</source>
      <translation>Modell verbinden</translation>
    </message>
    <message>
      <source>Connect its disk, or choose another library.</source>
      <translation>Verbinden Sie ihr Laufwerk, oder wählen Sie eine andere Bibliothek.</translation>
    </message>
    <message>
      <source>Drop one anywhere on this window. You can search it within seconds.</source>
      <translation>Legen Sie einen irgendwo auf diesem Fenster ab. Nach Sekunden können Sie ihn durchsuchen.</translation>
    </message>
    <message>
      <source>Every answer cites the lines it is based on. Click a number to see them.</source>
      <translation>Jede Antwort nennt ihre Zeilen. Klicken Sie auf eine Nummer, um sie zu sehen.</translation>
    </message>
    <message>
      <source>Newest documents</source>
      <translation>Neueste Dokumente</translation>
    </message>
    <message>
      <source>No model is connected, so answers are quotes from your documents.</source>
      <translation>Kein Modell ist verbunden, darum sind Antworten Zitate aus Ihren Dokumenten.</translation>
    </message>
    <message>
      <source>Opening your library</source>
      <translation>Ihre Bibliothek wird geöffnet</translation>
    </message>
    <message>
      <source>Questions that your documents answer</source>
      <translation>Fragen, die Ihre Dokumente beantworten</translation>
    </message>
    <message>
      <source>Reading waits; the button at the foot of the library goes on with it.</source>
      <translation>Das Lesen wartet; die Schaltfläche am Fuß der Bibliothek lässt es weitergehen.</translation>
    </message>
    <message>
      <source>Reading your documents</source>
      <translation>Ihre Dokumente werden gelesen</translation>
    </message>
    <message>
      <source>Recent documents</source>
      <translation>Zuletzt geöffnete Dokumente</translation>
    </message>
    <message>
      <source>Start with a folder</source>
      <translation>Beginnen Sie mit einem Ordner</translation>
    </message>
    <message>
      <source>This library cannot be found</source>
      <translation>Diese Bibliothek ist nicht zu finden</translation>
    </message>
    <message>
      <source>You can ask as soon as the first of them is read.</source>
      <translation>Sie können fragen, sobald das erste gelesen ist.</translation>
    </message>
    <message>
      <source>Your documents are not read yet</source>
      <translation>Ihre Dokumente sind noch nicht gelesen</translation>
    </message>
  </context>
  <context>
    <name>WhyDialog</name>
    <message>
      <source>A file or folder; drop it here</source>
      <translation>Datei oder Ordner; hier ablegen</translation>
    </message>
    <message>
      <source>Choose a file</source>
      <translation>Datei wählen</translation>
    </message>
    <message>
      <source>Choose a file, or drop one here, to see why it is found or not.</source>
      <translation>Wählen Sie eine Datei, oder legen Sie sie hier ab, um zu sehen, warum sie gefunden wird oder nicht.</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <source>File or folder</source>
      <translation>Datei oder Ordner</translation>
    </message>
    <message>
      <source>Read it again now</source>
      <translation>Jetzt noch einmal lesen</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Search words (optional)</source>
      <translation>Suchwörter (freiwillig)</translation>
    </message>
    <message>
      <source>Show in the document</source>
      <translation>Im Dokument zeigen</translation>
    </message>
    <message>
      <source>Which file?</source>
      <translation>Welche Datei?</translation>
    </message>
    <message>
      <source>Why is a file found or not?</source>
      <translation>Warum wird eine Datei gefunden oder nicht?</translation>
    </message>
  </context>
  <context>
    <name>Wording</name>
    <message numerus="yes">
      <source>%Ln document(s)</source>
      <translation>
        <numerusform>%Ln Dokument</numerusform>
        <numerusform>%Ln Dokumente</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln line(s)</source>
      <translation>
        <numerusform>%Ln Zeile</numerusform>
        <numerusform>%Ln Zeilen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln page(s)</source>
      <translation>
        <numerusform>%Ln Seite</numerusform>
        <numerusform>%Ln Seiten</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln request(s)</source>
      <translation>
        <numerusform>%Ln Anfrage</numerusform>
        <numerusform>%Ln Anfragen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln statement(s)</source>
      <translation>
        <numerusform>%Ln Aussage</numerusform>
        <numerusform>%Ln Aussagen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln step(s)</source>
      <translation>
        <numerusform>%Ln Schritt</numerusform>
        <numerusform>%Ln Schritte</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln token(s)</source>
      <translation>
        <numerusform>%Ln Token</numerusform>
        <numerusform>%Ln Token</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%Ln word(s)</source>
      <translation>
        <numerusform>%Ln Wort</numerusform>
        <numerusform>%Ln Wörter</numerusform>
      </translation>
    </message>
    <message>
      <source>, </source>
      <translation>, </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more search(es)</source>
      <translation>
        <numerusform>%Ln weitere Suche erlauben</numerusform>
        <numerusform>%Ln weitere Suchen erlauben</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more step(s)</source>
      <translation>
        <numerusform>%Ln weiteren Schritt erlauben</numerusform>
        <numerusform>%Ln weitere Schritte erlauben</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Allow %Ln more token(s)</source>
      <translation>
        <numerusform>%Ln weiteres Token erlauben</numerusform>
        <numerusform>%Ln weitere Token erlauben</numerusform>
      </translation>
    </message>
    <message>
      <source>Allow {time} more</source>
      <translation>{time} mehr erlauben</translation>
    </message>
    <message>
      <source>Cell {0}</source>
      <translation>Zelle {0}</translation>
    </message>
    <message>
      <source>Checked by an earlier version; ask again to have it checked anew.</source>
      <translation>Von einer früheren Version geprüft; fragen Sie erneut, um es neu prüfen zu lassen.</translation>
    </message>
    <message>
      <source>Cited, not checked: read the lines.</source>
      <translation>Belegt, nicht geprüft: Lesen Sie die Zeilen.</translation>
    </message>
    <message>
      <source>Computed here: {sum}, from {places}.</source>
      <translation>Hier berechnet: {sum}, aus {places}.</translation>
    </message>
    <message>
      <source>Computed here: {sum}.</source>
      <translation>Hier berechnet: {sum}.</translation>
    </message>
    <message>
      <source>It cites a file or line that your library does not have.</source>
      <translation>Die genannte Datei oder Zeile gibt es in Ihrer Bibliothek nicht.</translation>
    </message>
    <message>
      <source>It cites {text}, where nothing was read.</source>
      <translation>Die Aussage beruft sich auf {text}; dort wurde nichts gelesen.</translation>
    </message>
    <message>
      <source>It is not written yet.</source>
      <translation>Noch nicht geschrieben.</translation>
    </message>
    <message>
      <source>No document has {0}.</source>
      <translation>Kein Dokument enthält {0}.</translation>
    </message>
    <message>
      <source>Not found.</source>
      <translation>Nicht gefunden.</translation>
    </message>
    <message>
      <source>Not word for word in these lines.</source>
      <translation>Nicht Wort für Wort in diesen Zeilen.</translation>
    </message>
    <message>
      <source>Nothing was surely found for “{0}”.</source>
      <translation>Zu „{0}“ wurde nichts sicher gefunden.</translation>
    </message>
    <message>
      <source>Page {0}</source>
      <translation>Seite {0}</translation>
    </message>
    <message>
      <source>Prices from {0}</source>
      <translation>Preise vom {0}</translation>
    </message>
    <message>
      <source>Quoted word for word from the cited lines.</source>
      <translation>Steht Wort für Wort in den belegten Zeilen.</translation>
    </message>
    <message>
      <source>Read by the model: “{words}”.</source>
      <translation>Vom Modell gelesen: „{words}“.</translation>
    </message>
    <message>
      <source>Searched for {0} (documents: {1}).</source>
      <translation>Nach {0} gesucht (Dokumente: {1}).</translation>
    </message>
    <message>
      <source>Slide {0}</source>
      <translation>Folie {0}</translation>
    </message>
    <message>
      <source>The document has these words.</source>
      <translation>Diese Worte stehen so im Dokument.</translation>
    </message>
    <message>
      <source>The lines are cited, no words of them.</source>
      <translation>Belegt sind die Zeilen, keine Worte daraus.</translation>
    </message>
    <message>
      <source>The lines seem to say otherwise: “{found}”, not “{text}”.</source>
      <translation>Die Zeilen scheinen es anders zu sagen: „{found}“, nicht „{text}“.</translation>
    </message>
    <message>
      <source>The model does not find this in the cited lines.</source>
      <translation>Das Modell findet das in den belegten Zeilen nicht.</translation>
    </message>
    <message>
      <source>The model names no source in your documents for this.</source>
      <translation>Das Modell nennt dafür keine Quelle in Ihren Dokumenten.</translation>
    </message>
    <message>
      <source>The model reads otherwise: “{words}”.</source>
      <translation>Das Modell liest es anders: „{words}“.</translation>
    </message>
    <message>
      <source>The prices are from {0}: check whether they still hold</source>
      <translation>Die Preise sind vom {0}: Prüfen Sie, ob sie noch gelten</translation>
    </message>
    <message>
      <source>The quoted words are nowhere in what was read.</source>
      <translation>Die zitierten Worte stehen nirgends im Gelesenen.</translation>
    </message>
    <message>
      <source>The words are here, not where the model said.</source>
      <translation>Die Worte stehen hier, nicht wo das Modell sagte.</translation>
    </message>
    <message>
      <source>The words are here; the model named {place}.</source>
      <translation>Die Worte stehen hier; das Modell nannte {place}.</translation>
    </message>
    <message>
      <source>What documents disagree on is looked for by a model and its second look only.</source>
      <translation>Worin Dokumente sich widersprechen, sucht nur ein Modell mit seinem zweiten Blick.</translation>
    </message>
    <message>
      <source>What was searched and not found, and what disagrees</source>
      <translation>Was gesucht und nicht gefunden wurde, und was sich widerspricht</translation>
    </message>
    <message>
      <source>line {line}</source>
      <translation>Zeile {line}</translation>
    </message>
    <message>
      <source>lines {first}–{last}</source>
      <translation>Zeilen {first}–{last}</translation>
    </message>
    <message>
      <source>p. {page}</source>
      <translation>S. {page}</translation>
    </message>
    <message>
      <source>page {page} · {lines}</source>
      <translation>Seite {page} · {lines}</translation>
    </message>
    <message>
      <source>{0} %</source>
      <translation>{0} %</translation>
    </message>
    <message>
      <source>{0} answered and has no model yet: {1}</source>
      <translation>{0} hat geantwortet und hat noch kein Modell: {1}</translation>
    </message>
    <message>
      <source>{0} answered and wants a key.</source>
      <translation>{0} hat geantwortet und verlangt einen Schlüssel.</translation>
    </message>
    <message>
      <source>{0} tokens/s</source>
      <translation>{0} Token/s</translation>
    </message>
    <message>
      <source>{0}, {1}</source>
      <translation>{0}, {1}</translation>
    </message>
    <message>
      <source>{minutes} min {seconds} s</source>
      <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
      <source>{n} checked by an earlier version</source>
      <translation>{n} von einer früheren Version geprüft</translation>
    </message>
    <message>
      <source>{n} computed here</source>
      <translation>{n} hier berechnet</translation>
    </message>
    <message>
      <source>{n} not checked</source>
      <translation>{n} nicht geprüft</translation>
    </message>
    <message>
      <source>{n} quoted word for word</source>
      <translation>{n} Wort für Wort zitiert</translation>
    </message>
    <message>
      <source>{n} read by the model</source>
      <translation>{n} vom Modell gelesen</translation>
    </message>
    <message>
      <source>{n} that the model does not find</source>
      <translation>{n} vom Modell nicht gefunden</translation>
    </message>
    <message>
      <source>{n} that the model reads otherwise</source>
      <translation>{n} vom Modell anders gelesen</translation>
    </message>
    <message>
      <source>{n} where the lines seem to say otherwise</source>
      <translation>{n} anscheinend anders als in den Zeilen</translation>
    </message>
    <message>
      <source>{n} with words that are not written there</source>
      <translation>{n} mit Worten, die dort nicht stehen</translation>
    </message>
    <message>
      <source>{n} without a source</source>
      <translation>{n} ohne Quelle</translation>
    </message>
    <message>
      <source>{seconds} s</source>
      <translation>{seconds} s</translation>
    </message>
    <message>
      <source>{text} are not written in the cited lines.</source>
      <translation>{text} stehen nicht in den belegten Zeilen.</translation>
    </message>
    <message>
      <source>{text} is not written in the cited lines.</source>
      <translation>{text} steht nicht in den belegten Zeilen.</translation>
    </message>
    <message>
      <source>{total}: {parts}</source>
      <translation>{total}: {parts}</translation>
    </message>
    <message>
      <source>“{0}”</source>
      <translation>„{0}“</translation>
    </message>
    <message>
      <source>“{0}” – {1} says otherwise: “{2}”</source>
      <translation>„{0}“ – {1} sagt etwas anderes: „{2}“</translation>
    </message>
    <message>
      <source>“{text}” stands nowhere in what was read.</source>
      <translation>„{text}“ steht nirgends im Gelesenen.</translation>
    </message>
    <message>
      <source>“{words}”
— {source}</source>
      <translation>„{words}“
— {source}</translation>
    </message>
  </context>
  <context>
    <name>WorkControl</name>
    <message>
      <source>Something went wrong</source>
      <translation>Etwas ist schiefgegangen</translation>
    </message>
  </context>
  <context>
    <name>WorkMenu</name>
    <message numerus="yes">
      <source>%Ln file(s)</source>
      <translation>
        <numerusform>%Ln Datei</numerusform>
        <numerusform>%Ln Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>Background work</source>
      <translation>Hintergrundarbeit</translation>
    </message>
    <message>
      <source>Pause for an hour</source>
      <translation>Eine Stunde anhalten</translation>
    </message>
    <message>
      <source>Pause reading</source>
      <translation>Lesen anhalten</translation>
    </message>
    <message>
      <source>Pause until tomorrow morning</source>
      <translation>Bis morgen früh anhalten</translation>
    </message>
    <message>
      <source>Paused until {0}</source>
      <translation>Angehalten bis {0}</translation>
    </message>
    <message>
      <source>This library is missing</source>
      <translation>Diese Bibliothek fehlt</translation>
    </message>
    <message>
      <source>Waiting for mains power</source>
      <translation>Wartet auf Netzstrom</translation>
    </message>
    <message>
      <source>Waiting until the computer is idle</source>
      <translation>Wartet, bis der Computer ruht</translation>
    </message>
    <message>
      <source>Words: {0} of {1} files</source>
      <translation>Wörter: {0} von {1} Dateien</translation>
    </message>
    <message>
      <source>Work at any time</source>
      <translation>Jederzeit arbeiten</translation>
    </message>
    <message>
      <source>Work only on mains power</source>
      <translation>Nur mit Netzstrom arbeiten</translation>
    </message>
    <message>
      <source>Work only while the computer is idle</source>
      <translation>Nur arbeiten, während der Computer ruht</translation>
    </message>
    <message>
      <source>Your library is empty</source>
      <translation>Ihre Bibliothek ist leer</translation>
    </message>
    <message>
      <source>{0} of {1} files can be searched</source>
      <translation>{0} von {1} Dateien durchsuchbar</translation>
    </message>
  </context>
  <context>
    <name>WorkPage</name>
    <message>
      <source>Back to the conversation (Esc)</source>
      <translation>Zurück zum Gespräch (Esc)</translation>
    </message>
    <message>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
  </context>
  <context>
    <name>WriteDialog</name>
    <message numerus="yes">
      <source>%Ln section(s)</source>
      <translation>
        <numerusform>%Ln Abschnitt</numerusform>
        <numerusform>%Ln Abschnitte</numerusform>
      </translation>
    </message>
    <message>
      <source>Every section is kept as it is written. You can stop at any time and go on later.</source>
      <translation>Jeder Abschnitt wird gespeichert, sobald er geschrieben ist. Sie können jederzeit anhalten und später weitermachen.</translation>
    </message>
    <message>
      <source>Minutes</source>
      <translation>Minuten</translation>
    </message>
    <message>
      <source>Money</source>
      <translation>Geld</translation>
    </message>
    <message>
      <source>No limit</source>
      <translation>Keine Grenze</translation>
    </message>
    <message>
      <source>Tokens</source>
      <translation>Token</translation>
    </message>
    <message>
      <source>Write</source>
      <translation>Schreiben</translation>
    </message>
    <message>
      <source>Write the report?</source>
      <translation>Den Bericht schreiben?</translation>
    </message>
    <message>
      <source>{0} by {1}. Each is searched, written and compared with its lines, as one question.</source>
      <translation>{0} von {1}. Zu jedem wird gesucht, geschrieben und mit den Zeilen verglichen, wie bei einer Frage.</translation>
    </message>
  </context>
  <context>
    <name>ZoomTools</name>
    <message>
      <source>Fit page</source>
      <translation>Ganze Seite</translation>
    </message>
    <message>
      <source>Fit width</source>
      <translation>Ganze Breite</translation>
    </message>
    <message>
      <source>Larger</source>
      <translation>Größer</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>Size: {0}</source>
      <translation>Größe: {0}</translation>
    </message>
    <message>
      <source>Smaller</source>
      <translation>Kleiner</translation>
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
      <translation>Seite {0}</translation>
    </message>
  </context>
  <context>
    <name>_PathList</name>
    <message>
      <source>Add file…</source>
      <translation>Datei hinzufügen…</translation>
    </message>
    <message>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
      <source>Never send</source>
      <translation>Nie senden</translation>
    </message>
    <message>
      <source>Take off the list</source>
      <translation>Von der Liste nehmen</translation>
    </message>
  </context>
  <context>
    <name>_Question</name>
    <message>
      <source>Kind of the answers</source>
      <translation>Art der Antworten</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>Remove this question</source>
      <translation>Diese Frage entfernen</translation>
    </message>
    <message>
      <source>Such as: Rent per month</source>
      <translation>Etwa: Miete im Monat</translation>
    </message>
    <message>
      <source>Values to choose from</source>
      <translation>Werte zur Auswahl</translation>
    </message>
    <message>
      <source>Values, with commas</source>
      <translation>Werte, mit Kommas</translation>
    </message>
  </context>
  <context>
    <name>_Sheet</name>
    <message>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>Answered</source>
      <translation>Beantwortet</translation>
    </message>
    <message>
      <source>Asked</source>
      <translation>Gefragt</translation>
    </message>
    <message>
      <source>Both</source>
      <translation>Beide</translation>
    </message>
    <message>
      <source>Cited</source>
      <translation>Zitiert</translation>
    </message>
    <message>
      <source>Cost</source>
      <translation>Kosten</translation>
    </message>
    <message>
      <source>Documents</source>
      <translation>Dokumente</translation>
    </message>
    <message>
      <source>Failed</source>
      <translation>Fehlgeschlagen</translation>
    </message>
    <message>
      <source>Failed before an answer was written</source>
      <translation>Fehlgeschlagen, bevor eine Antwort geschrieben war</translation>
    </message>
    <message>
      <source>No answer yet</source>
      <translation>Noch keine Antwort</translation>
    </message>
    <message>
      <source>Not found</source>
      <translation>Nicht gefunden</translation>
    </message>
    <message>
      <source>Now</source>
      <translation>Jetzt</translation>
    </message>
    <message>
      <source>Only here</source>
      <translation>Nur hier</translation>
    </message>
    <message>
      <source>Only the searches were repeated</source>
      <translation>Nur die Suchen wurden wiederholt</translation>
    </message>
    <message>
      <source>Outcome</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <source>Question</source>
      <translation>Frage</translation>
    </message>
    <message>
      <source>Searched</source>
      <translation>Gesucht</translation>
    </message>
    <message>
      <source>Stopped</source>
      <translation>Angehalten</translation>
    </message>
    <message>
      <source>Stopped before an answer was written</source>
      <translation>Angehalten, bevor eine Antwort geschrieben war</translation>
    </message>
    <message>
      <source>Then</source>
      <translation>Damals</translation>
    </message>
    <message>
      <source>Unfinished</source>
      <translation>Nicht fertig</translation>
    </message>
    <message numerus="yes">
      <source>and %Ln more</source>
      <translation>
        <numerusform>und %Ln weitere</numerusform>
        <numerusform>und %Ln weitere</numerusform>
      </translation>
    </message>
    <message>
      <source>{0} of 2 · {1}</source>
      <translation>{0} von 2 · {1}</translation>
    </message>
  </context>
</TS>
