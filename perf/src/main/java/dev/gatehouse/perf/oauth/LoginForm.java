package dev.gatehouse.perf.oauth;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first form of a page, filled in.
 *
 * @param target the address it is submitted to: path and query
 */
record LoginForm(String target, String body) {

  private static final Pattern FORM = Pattern.compile("<form\\b[^>]*\\baction=\"([^\"]+)\"");
  private static final Pattern HIDDEN = Pattern.compile("<input\\b[^>]*\\btype=\"hidden\"[^>]*>");
  private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]+)\"");
  private static final Pattern VALUE = Pattern.compile("\\bvalue=\"([^\"]*)\"");

  static LoginForm filledIn(String page, String name, String password) throws IOException {
    Matcher form = FORM.matcher(page);
    if (!form.find()) {
      throw new IOException("no form in the page:\n" + page);
    }
    int end = page.indexOf("</form>", form.end());
    String fields = page.substring(form.end(), end < 0 ? page.length() : end);
    StringBuilder body = new StringBuilder("username=" + name + "&password=" + password);
    Matcher hidden = HIDDEN.matcher(fields);
    while (hidden.find()) {
      Matcher named = NAME.matcher(hidden.group());
      Matcher value = VALUE.matcher(hidden.group());
      if (named.find()) {
        body.append('&').append(named.group(1)).append('=').append(value.find() ? Text.encoded(value.group(1)) : "");
      }
    }
    return new LoginForm(form.group(1).replace("&amp;", "&"), body.toString());
  }
}
