package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests to one node each, past the balancer, which would choose another one. What fails here failed nobody who came by the address of
 * the site: only an error of the node itself is counted.
 */
final class SingleNodes {

  /**
   * An answer, as it came.
   *
   * @param sentNanos when it was asked for
   * @param location where it sends the person; empty if nowhere
   */
  record Answer(long sentNanos, int status, String location, String body) {

    /** Returns whether the node cannot say. */
    boolean isUnavailable() {
      return status >= 500;
    }

    boolean shows(String text) {
      return status == 200 && body.contains(text);
    }
  }

  /**
   * What all nodes say.
   *
   * @param silent the ports of those that run and cannot say; what the others say does not stand for them
   */
  record Round(List<Answer> answers, List<Integer> silent) {}

  private static final Pattern LOCATION = Pattern.compile("(?im)^location: *(\\S+)");
  private static final int CONNECT_MILLIS = 500;
  private static final int READ_MILLIS = 1_500;
  /** A node that did not answer is not asked again for so long, so that those who ask get on. */
  private static final long SILENT_NANOS = 500_000_000;

  private final String address;
  private final List<Integer> ports;
  private final Requests requests;
  private final AtomicLongArray silentUntil;

  /**
   * @param address what people know, with which a node is asked
   * @param ports of the nodes
   */
  SingleNodes(String address, List<Integer> ports, Requests requests) {
    this.address = address;
    this.ports = List.copyOf(ports);
    this.requests = requests;
    this.silentUntil = new AtomicLongArray(ports.size());
    for (int i = 0; i < ports.size(); i++) {
      silentUntil.set(i, System.nanoTime());
    }
  }

  int size() {
    return ports.size();
  }

  /** Opens an address of the site at one node, as a person does; empty if there is no answer. */
  Optional<Answer> get(int node, String path, Visitor visitor) {
    return System.nanoTime() - silentUntil.get(node) < 0 ? Optional.empty() : ask(node, path, visitor);
  }

  private Optional<Answer> ask(int node, String path, Visitor visitor) {
    URI site = URI.create(address);
    String cookies = visitor.cookies(site.getHost());
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: " + site.getRawAuthority() + "\r\nConnection: close\r\nAccept: text/html\r\n"
            + "Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
            + (cookies.isEmpty() ? "" : "Cookie: " + cookies + "\r\n") + "\r\n";
    long sent = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), ports.get(node)), CONNECT_MILLIS);
      socket.setSoTimeout(READ_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      Answer answer = answer(sent, new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      requests.alone(path, answer.status(), answer.body());
      return Optional.of(answer);
    } catch (IOException e) {
      silentUntil.set(node, System.nanoTime() + SILENT_NANOS);
      return Optional.empty();
    }
  }

  private static Answer answer(long sent, String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    String[] words = text.split(" ", 3);
    if (end < 0 || words.length < 3 || !words[1].matches("[0-9]{3}")) {
      throw new IOException("This is no whole answer: " + text);
    }
    Matcher location = LOCATION.matcher(text.substring(0, end));
    return new Answer(sent, Integer.parseInt(words[1]), location.find() ? location.group(1) : "", text.substring(end + 4));
  }

  /** Opens an address at all nodes one after the other; those that cannot answer are left out. */
  List<Answer> all(String path, Visitor visitor) {
    List<Answer> answers = new ArrayList<>();
    for (int node = 0; node < size(); node++) {
      get(node, path, visitor).filter(answer -> !answer.isUnavailable()).ifPresent(answers::add);
    }
    return answers;
  }

  /**
   * Opens an address at all nodes, also at those that were silent a moment ago.
   *
   * @param isRunning whether the node with a port runs
   */
  Round each(String path, Visitor visitor, IntPredicate isRunning) {
    List<Answer> answers = new ArrayList<>();
    List<Integer> silent = new ArrayList<>();
    for (int node = 0; node < size(); node++) {
      Optional<Answer> answer = ask(node, path, visitor).filter(each -> !each.isUnavailable());
      answer.ifPresent(answers::add);
      if (answer.isEmpty() && isRunning.test(ports.get(node))) {
        silent.add(ports.get(node));
      }
    }
    return new Round(answers, silent);
  }
}
