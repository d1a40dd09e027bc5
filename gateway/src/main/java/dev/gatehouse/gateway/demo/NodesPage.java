package dev.gatehouse.gateway.demo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page that shows which node answered, and asks again each second. */
final class NodesPage {
  /** The balancer adds it to each request: the name of the node that it chose. */
  static final String HEADER = "Demo-Node";

  private static final String NAME = "node-";
  private static final int SHOWN = 24;

  private final DemoNodes nodes;
  private final Map<Integer, Long> answers = new TreeMap<>();
  private final Deque<Integer> latest = new ArrayDeque<>();

  NodesPage(DemoNodes nodes) {
    this.nodes = nodes;
  }

  boolean isOffered() {
    return !nodes.now().isEmpty();
  }

  /** @param chosen the value of {@link #HEADER}, or nothing */
  String page(SampleApp.Visitor visitor, String chosen) {
    int number = number(chosen);
    List<Integer> shown;
    Map<Integer, Long> counted;
    synchronized (this) {
      if (number > 0) {
        answers.merge(number, 1L, Long::sum);
        latest.addLast(number);
        if (latest.size() > SHOWN) {
          latest.removeFirst();
        }
      }
      shown = new ArrayList<>(latest);
      counted = Map.copyOf(answers);
    }
    StringBuilder text = new StringBuilder();
    text.append("<p>Each request goes to the next node. This page asks again every second. End a node while it does: your login stays.</p>");
    text.append("<table><thead><tr><th>Node</th><th>Process</th><th>State</th><th>Answers</th><th>End it</th></tr></thead><tbody>");
    for (DemoNodes.State node : nodes.now()) {
      text.append(node.number() == number ? "<tr class=\"now\">" : "<tr>")
          .append("<th scope=\"row\">").append(node.number()).append("</th><td>").append(node.pid()).append("</td><td>")
          .append(node.isRunning() ? "runs" : "ended").append("</td><td>").append(counted.getOrDefault(node.number(), 0L))
          .append("</td><td>").append(node.isRunning() ? "<code>kill -9 " + node.pid() + "</code>" : "").append("</td></tr>");
    }
    text.append("</tbody></table><p>The latest answers: ");
    shown.forEach(each -> text.append(each).append(' '));
    text.append("</p>");
    return SamplePages.nodes(visitor, number > 0 ? "Node " + number + " answered" : "An unknown node answered", text.toString());
  }

  private int number(String chosen) {
    return nodes.now().stream()
        .map(DemoNodes.State::number)
        .filter(each -> chosen.equals(NAME + each))
        .findFirst()
        .orElse(0);
  }
}
