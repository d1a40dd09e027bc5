package dev.gatehouse.gateway.console;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One page of a list that is in memory.
 *
 * @param total the number of entries of all pages
 * @param previous the address of the page before
 * @param next the address of the page after
 */
record Listed<T>(List<T> entries, int total, Optional<String> previous, Optional<String> next) {

  static final int SIZE = 100;

  /**
   * Returns a page of the entries in which the search is found.
   *
   * @param search empty for all
   * @param page counted from 1
   * @param texts where to search
   * @param address the address of a page
   */
  static <T> Listed<T> of(List<T> all, String search, int page, Function<T, Stream<String>> texts, Function<String, String> address) {
    String wanted = search.toLowerCase(Locale.ROOT);
    List<T> found =
        wanted.isEmpty() ? all : all.stream().filter(entry -> texts.apply(entry).anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(wanted))).toList();
    int last = Math.max(1, (found.size() + SIZE - 1) / SIZE);
    int shown = Math.clamp(page, 1, last);
    List<T> entries = found.subList((shown - 1) * SIZE, Math.min(found.size(), shown * SIZE));
    return new Listed<>(
        entries,
        found.size(),
        shown > 1 ? Optional.of(address.apply(String.valueOf(shown - 1))) : Optional.empty(),
        shown < last ? Optional.of(address.apply(String.valueOf(shown + 1))) : Optional.empty());
  }

  /** Returns this page with other entries. */
  <R> Listed<R> map(Function<T, R> view) {
    return new Listed<>(entries.stream().map(view).toList(), total, previous, next);
  }
}
