package dev.gatehouse.gateway.cli;

import dev.gatehouse.common.request.RequestId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Answers that are lines of text, as long as they may be. */
public final class AnswerLines {

  private AnswerLines() {}

  /**
   * Prints the lines of an answer.
   *
   * @throws IncompleteAnswer if it has no end
   */
  public static void print(HttpResponse<InputStream> response, PrintWriter to) throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // Strangers choose names; in JSON the escapes mean the same.
        to.println(SafeText.line(line));
      }
    } catch (IOException e) {
      throw new IncompleteAnswer(response.headers().firstValue(RequestId.FIELD).map(SafeText::line).orElse("-"), e);
    } finally {
      to.flush();
    }
  }
}
