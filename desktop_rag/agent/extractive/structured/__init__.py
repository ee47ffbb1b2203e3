"""Answers by the place or form of a sentence: senders of letters and mails, titles of documents, definitions.

`letter_sender` reads letterheads, `labelled_roles` labels such as “Buyer: …”, `mail_questions` the heads of mails;
`listed_titles` lists documents by their names; `definitions` finds the sentences that define a term; `latest_entries`
what the latest entry says on a thing of which a question asks how it stands now; `said_later` what denies a plan.
"""
