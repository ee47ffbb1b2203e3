"""The ruler of answers: questions asked through the real agent, in the measures of the papers."""
