package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Node.RadiusListener;
import dev.gatehouse.common.node.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tries every port before anything is started, so that all ports in use are reported at once, with their configuration
 * keys.
 */
final class ListenerCheck {
  private ListenerCheck() {}

  /** One line for each listener that cannot listen. */
  static List<String> problems(Node node) {
    List<String> problems = new ArrayList<>();
    if (node.roles().contains(Role.IDP)) {
      check("listeners.idp", node.listeners().idp(), problems);
      for (RadiusListener radius : node.listeners().radius()) {
        InetSocketAddress address = radius.listener().address();
        Optional<String> why = radius.isSecure() ? problem(address) : problemOfUdp(address);
        why.map(text -> (radius.isSecure() ? "listeners.radsec: " : "listeners.radius: ") + text).ifPresent(problems::add);
      }
    }
    if (servesApps(node.roles())) {
      check("listeners.gateway", node.listeners().gateway(), problems);
    }
    problem(node.listeners().admin().address()).map(why -> "listeners.admin: " + why).ifPresent(problems::add);
    node.listeners().metrics().flatMap(metrics -> problem(metrics.address())).map(why -> "listeners.metrics: " + why)
        .ifPresent(problems::add);
    return problems;
  }

  /** The role sp alone uses the gateway's listener without upstreams. */
  static boolean servesApps(Set<Role> roles) {
    return roles.contains(Role.GATEWAY) || roles.contains(Role.SP);
  }

  private static void check(String key, List<Listener> listeners, List<String> problems) {
    for (int i = 0; i < listeners.size(); i++) {
      String where = key + "[" + i + "]: ";
      problem(listeners.get(i).address()).map(why -> where + why).ifPresent(problems::add);
    }
  }

  private static Optional<String> problem(InetSocketAddress address) {
    if (address.getPort() == 0) {
      return Optional.empty();
    }
    try (ServerSocket socket = new ServerSocket()) {
      // As for the real listeners: connections of a node that has just stopped do not block the port.
      socket.setReuseAddress(true);
      socket.bind(address);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(sentence(address, e));
    }
  }

  private static Optional<String> problemOfUdp(InetSocketAddress address) {
    if (address.getPort() == 0) {
      return Optional.empty();
    }
    try (DatagramChannel socket = DatagramChannel.open()) {
      socket.bind(address);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(sentence(address, e));
    }
  }

  private static String sentence(InetSocketAddress address, IOException e) {
    return "cannot listen on port %d of %s (%s) — stop the other program, or configure another port"
        .formatted(address.getPort(), address.getAddress().getHostAddress(), e.getMessage());
  }
}
