package dev.gatehouse.gateway.people;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An app that takes comments. Anybody gets its empty forms; the gateway lets only people who are logged in send one.
 */
final class FormSite extends Site {

  private final List<String> received = new CopyOnWriteArrayList<>();

  /** The bodies of all POSTs that reached it. */
  List<String> received() {
    return List.copyOf(received);
  }

  @Override
  Answer answer(String method, String path, String body) {
    if (method.equals("POST")) {
      received.add(body);
      return page("Thank you", "<p>Your comment was received.</p>");
    }
    return switch (path) {
      case "/open-forms/plain" -> form("/forms/comment");
      case "/open-forms/kept" -> form("/kept-forms/comment");
      default -> page("Comments", "<p>What others wrote.</p>");
    };
  }

  private static Answer form(String action) {
    return page(
        "Write a comment",
        """
        <form method="post" action="%s"><label>Comment <input name="comment"></label><button>Publish</button></form>
        """
            .formatted(action));
  }
}
