package dev.gatehouse.common.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One page to render: template {@code pages/{template}.html}, texts from the message bundle by keys.
 *
 * @param status HTTP status
 * @param template name without folder and ending
 * @param model data for the template; Thymeleaf escapes values ({@code th:text}, never {@code th:utext})
 * @param policy the page's permissions
 */
public record Page(int status, String template, Map<String, Object> model, Policy policy) {

  public static Page of(int status, String template, Map<String, Object> model) {
    return new Page(status, template, model, Policy.plain());
  }

  /** Returns the page with additional model entries. */
  public Page with(Map<String, String> texts) {
    Map<String, Object> more = new HashMap<>(model);
    more.putAll(texts);
    return new Page(status, template, more, policy);
  }

  /**
   * The parts of the Content-Security-Policy beyond {@code default-src 'none'}, our own style sheet and logo.
   *
   * @param frames origins that the page may frame (logout receipts)
   * @param framedBy origins that may frame the page (slo endpoints only); none by default
   * @param autoSubmit whether the page contains our one script, which submits its form; form-action is then unrestricted,
   *     because the response may redirect anywhere
   * @param refreshSeconds 0, or the time after which the page reloads
   * @param scripts addresses of script files of the page's own origin, which may also request pages of that origin
   * @param sandboxed whether the page is only looked at: it has an origin of its own, sends no form, and our own pages may frame it
   */
  public record Policy(
      List<String> frames, List<String> framedBy, boolean autoSubmit, int refreshSeconds, List<String> scripts, boolean sandboxed) {
    public Policy {
      if (sandboxed && (autoSubmit || !scripts.isEmpty())) {
        throw new IllegalArgumentException("a page that is only looked at has no script");
      }
      if (autoSubmit && !scripts.isEmpty()) {
        throw new IllegalArgumentException("a page that submits itself has no other script");
      }
    }

    /** Creates the policy of a page without script files. */
    public Policy(List<String> frames, List<String> framedBy, boolean autoSubmit, int refreshSeconds) {
      this(frames, framedBy, autoSubmit, refreshSeconds, List.of(), false);
    }

    /** Returns the policy of a page with script files of its own origin. */
    public static Policy scripted(String... scripts) {
      return new Policy(List.of(), List.of(), false, 0, List.of(scripts), false);
    }

    /** Returns the policy of a page with script files of its own origin, which shows pages of its own origin in frames. */
    public static Policy framing(String origin, String... scripts) {
      return new Policy(List.of(origin), List.of(), false, 0, List.of(scripts), false);
    }

    /** Returns the policy of a page that is only looked at. */
    public static Policy preview() {
      return new Policy(List.of(), List.of(), false, 0, List.of(), true);
    }

    public static Policy plain() {
      return new Policy(List.of(), List.of(), false, 0);
    }
  }
}
