package dev.gatehouse.common.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One page to render: template {@code pages/{template}.html}, texts from the message bundle by keys.
 *
 * @param status HTTP status
 * @param template name without folder and ending
 * @param model what the template reads; values are escaped by Thymeleaf ({@code th:text}, never {@code th:utext})
 * @param policy what the page may do
 */
public record Page(int status, String template, Map<String, Object> model, Policy policy) {

  public static Page of(int status, String template, Map<String, Object> model) {
    return new Page(status, template, model, Policy.plain());
  }

  /** With more in its model. */
  public Page with(Map<String, String> texts) {
    Map<String, Object> more = new HashMap<>(model);
    more.putAll(texts);
    return new Page(status, template, more, policy);
  }

  /**
   * What becomes the Content-Security-Policy besides {@code default-src 'none'}, our own style sheet and logo.
   *
   * @param frames origins that the page may frame (logout receipts)
   * @param framedBy origins that may frame the page (slo endpoints only); none by default
   * @param autoSubmit whether the page carries our one script that submits its form; form-action is open then, because
   *     the answer may redirect anywhere
   * @param refreshSeconds 0, or reload after this long
   */
  public record Policy(List<String> frames, List<String> framedBy, boolean autoSubmit, int refreshSeconds) {
    public static Policy plain() {
      return new Policy(List.of(), List.of(), false, 0);
    }
  }
}
