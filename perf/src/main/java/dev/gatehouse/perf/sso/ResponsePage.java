package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.FilledForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page that a browser gets: the form with the Response. */
final class ResponsePage {

  private static final Pattern RESPONSE =
      Pattern.compile("name=\"SAMLResponse\"\\s+value=\"([^\"]+)\"", Pattern.CASE_INSENSITIVE);

  private ResponsePage() {}

  /** A cheap check for every page. */
  static boolean holdsResponse(Answer answer) {
    return answer.status() == 200 && answer.body().contains("SAMLResponse");
  }

  /**
   * A thorough check for some pages: the Response is successful, answers that request, and has exactly one signature.
   */
  static void check(Answer answer, String requestId) throws IOException {
    Matcher form = RESPONSE.matcher(answer.body());
    if (answer.status() != 200 || !form.find()) {
      throw new IOException("no Response in the answer, status " + answer.status() + ":\n" + answer.body());
    }
    String encoded = FilledForm.unescaped(form.group(1));
    String response = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
    boolean good =
        response.contains("urn:oasis:names:tc:SAML:2.0:status:Success")
            && response.contains("InResponseTo=\"" + requestId + "\"")
            && response.split("SignatureValue>", -1).length == 3;
    if (!good) {
      throw new IOException("not the requested Response:\n" + response);
    }
  }
}
