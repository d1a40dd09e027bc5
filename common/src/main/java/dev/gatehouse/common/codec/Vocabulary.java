package dev.gatehouse.common.codec;

import java.util.OptionalInt;

/** Words that many records share, each with a number. */
public interface Vocabulary {

  /** Returns the word's number, from 0; empty if it has none and gets none: then the word itself is written. */
  OptionalInt number(String word);

  /** Returns the word of a number from {@link #number}; throws {@link IllegalArgumentException} for any other. */
  String word(int number);

  /** Returns a vocabulary without words, for records that must be readable by themselves. */
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
