package dev.gatehouse.gateway.admin.web;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Pages of long lists; each page names the key after which the next one begins. */
public final class Paging {

  /** Maximum number of entries of a page. */
  public static final int MAX = 500;

  private Paging() {}

  /** Builds a page of a list that is sorted by keys as texts are compared; a page begins after the key {@code after}. */
  public static <T, P> P sorted(
      List<T> all, String after, int limit, Function<T, String> key, BiFunction<List<T>, Optional<String>, P> page) {
    return page(limit, most -> all.stream().filter(entry -> key.apply(entry).compareTo(after) > 0).limit(most).toList(), key, page);
  }

  /**
   * Builds a page.
   *
   * @param read reads at most that many entries from the beginning of the page
   * @param key the key of an entry, with which the next page is requested
   * @param page creates the page from its entries and the key of the next page
   */
  public static <T, P> P page(
      int limit, IntFunction<List<T>> read, Function<T, String> key, BiFunction<List<T>, Optional<String>, P> page) {
    if (limit < 1 || limit > MAX) {
      throw new BadRequest("limit is a number from 1 to " + MAX + ".");
    }
    // One entry more than requested shows whether there is a next page.
    List<T> found = read.apply(limit + 1);
    if (found.size() <= limit) {
      return page.apply(found, Optional.empty());
    }
    List<T> entries = found.subList(0, limit);
    return page.apply(entries, Optional.of(key.apply(entries.getLast())));
  }
}
