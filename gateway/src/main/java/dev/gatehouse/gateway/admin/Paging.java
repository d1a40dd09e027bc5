package dev.gatehouse.gateway.admin;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Pages of long lists: each says where the next one begins. */
final class Paging {

  private static final int MOST = 500;

  private Paging() {}

  /**
   * @param read the first ones from where the page begins, that many at most
   * @param key what the next page is asked for by, where the entry is the last one of its page
   * @param page of entries, and of where the next one begins
   */
  static <T, P> P page(
      int limit, IntFunction<List<T>> read, Function<T, String> key, BiFunction<List<T>, Optional<String>, P> page) {
    if (limit < 1 || limit > MOST) {
      throw new BadRequest("limit is a number from 1 to " + MOST + ".");
    }
    // One more than asked for tells whether there is a next page.
    List<T> found = read.apply(limit + 1);
    if (found.size() <= limit) {
      return page.apply(found, Optional.empty());
    }
    List<T> entries = found.subList(0, limit);
    return page.apply(entries, Optional.of(key.apply(entries.getLast())));
  }
}
