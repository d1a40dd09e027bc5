package dev.gatehouse.perf.http;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first form of a page with its hidden fields, filled in.
 *
 * @param target the address it is submitted to
 */
public record FilledForm(String target, String body) {

  private static final Pattern FORM = Pattern.compile("<form\\b[^>]*\\baction=\"([^\"]+)\"");
  private static final Pattern INPUT = Pattern.compile("<input\\b[^>]*>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]+)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  /**
   * Fills the form in.
   *
   * @param typed values by field name; ignored if the form has no such field
   * @throws IOException if there is no form, or it asks for a password that is not typed
   */
  public static FilledForm of(String page, Map<String, String> typed) throws IOException {
    Matcher form = FORM.matcher(page);
    if (!form.find()) {
      throw new IOException("no form in the page:\n" + page);
    }
    int end = page.indexOf("</form>", form.end());
    Matcher input = INPUT.matcher(page.substring(form.end(), end < 0 ? page.length() : end));
    StringBuilder body = new StringBuilder();
    while (input.find()) {
      Matcher named = NAME.matcher(input.group());
      if (named.find() && !input.group().contains("type=\"submit\"")) {
        if (named.group(1).equals("password") && !typed.containsKey("password")) {
          throw new IOException("the page asks for a password:\n" + page);
        }
        Matcher value = VALUE.matcher(input.group());
        String given = value.find() ? unescaped(value.group(1)) : "";
        String text = typed.getOrDefault(named.group(1), given);
        body.append(body.isEmpty() ? "" : "&").append(named.group(1)).append('=');
        body.append(URLEncoder.encode(text, StandardCharsets.UTF_8));
      }
    }
    return new FilledForm(unescaped(form.group(1)), body.toString());
  }

  /** The text of an attribute's value. */
  public static String unescaped(String html) {
    return html.replace("&#43;", "+").replace("&#x2b;", "+").replace("&#61;", "=").replace("&#x3d;", "=").replace("&quot;", "\"").replace("&amp;", "&");
  }
}
