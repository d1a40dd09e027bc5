package dev.gatehouse.common.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learns in memory the words that it is asked for and never forgets any: written records stay readable. Bounded, so that invented
 * words (for example a browser's name) cannot fill the memory; further words are written in full.
 */
public final class LearnedVocabulary implements Vocabulary {

  private static final int MAX_WORDS = 1 << 16;
  private static final int LONGEST = 300;

  private final ConcurrentHashMap<String, Integer> numbers = new ConcurrentHashMap<>();
  private final List<String> words = new ArrayList<>();

  @Override
  public OptionalInt number(String word) {
    Integer known = numbers.get(word);
    if (known != null) {
      return OptionalInt.of(known);
    }
    return word.length() > LONGEST || numbers.size() >= MAX_WORDS ? OptionalInt.empty() : learn(word);
  }

  private OptionalInt learn(String word) {
    synchronized (words) {
      Integer known = numbers.get(word);
      if (known != null) {
        return OptionalInt.of(known);
      }
      int number = words.size();
      words.add(word);
      // The word is in the list before its number can be read.
      numbers.put(word, number);
      return OptionalInt.of(number);
    }
  }

  @Override
  public String word(int number) {
    synchronized (words) {
      if (number < 0 || number >= words.size()) {
        throw new IllegalArgumentException("no word has the number " + number);
      }
      return words.get(number);
    }
  }
}
