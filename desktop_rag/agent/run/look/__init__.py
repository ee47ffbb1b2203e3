"""What the model is asked about statements that stand: whether the cited lines say them, and for other words.

Begin with `answer_review.AnswerReview`, the questions about one answer; `run.text_judge` asks about a text from
elsewhere. `second_look` asks what the lines say, and reads the replies; `citation_repair` asks for other
words where they say something else. `shown_lines` chooses the lines that both show. `yes_no` is the look by a
model that is too small to quote.
"""
