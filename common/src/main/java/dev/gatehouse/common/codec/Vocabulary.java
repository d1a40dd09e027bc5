package dev.gatehouse.common.codec;

import java.util.OptionalInt;

/** Words that many records share, each with a number. */
public interface Vocabulary {

  /** The word's number, from 0; empty where it has none and gets none: then the word itself is written. */
  OptionalInt number(String word);

  /** The word of a number that {@link #number} gave; throws {@link IllegalArgumentException} for any other. */
  String word(int number);

  /** Knows no word: for what must be readable by itself. */
  static Vocabulary none() {
    return new Vocabulary() {
      @Override
      public OptionalInt number(String word) {
        return OptionalInt.empty();
      }

      @Override
      public String word(int number) {
        throw new IllegalArgumentException("there are no words");
      }
    };
  }
}
