package dev.gatehouse.idp.oauth.authorize;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The interactions with the person that a client demands (OpenID Connect Core 3.1.2.1). */
enum Prompt {
  /** No page at all. */
  NONE,
  LOGIN,
  CONSENT,
  /** A browser has only one account with us at a time, so choosing another one is a login. */
  SELECT_ACCOUNT;

  /** Reads the parameter; empty if it contains an unknown word, or {@code none} together with others. */
  static Optional<Set<Prompt>> parse(String parameter) {
    Set<Prompt> prompts = EnumSet.noneOf(Prompt.class);
    for (String word : parameter.split(" ", -1)) {
      Optional<Prompt> prompt = of(word);
      if (prompt.isEmpty()) {
        return Optional.empty();
      }
      prompts.add(prompt.get());
    }
    return prompts.contains(NONE) && prompts.size() > 1 ? Optional.empty() : Optional.of(prompts);
  }

  private static Optional<Prompt> of(String word) {
    for (Prompt prompt : values()) {
      if (prompt.name().toLowerCase(Locale.ROOT).equals(word)) {
        return Optional.of(prompt);
      }
    }
    return Optional.empty();
  }
}
