package dev.gatehouse.idp;

import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Partners that answer from server to server as a test wants it. */
final class BackChannel implements LogoutDelivery {

  final List<LogoutNotice> sent = new CopyOnWriteArrayList<>();
  private final Map<String, LogoutDeliveryResult> answers = new ConcurrentHashMap<>();
  private volatile Optional<LogoutDelivery> real = Optional.empty();

  /** From now on partners are really called. */
  void deliverBy(LogoutDelivery delivery) {
    real = Optional.of(delivery);
  }

  void answers(String partner, LogoutDeliveryResult told) {
    answers.put(partner, told);
  }

  @Override
  public LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    sent.add(notice);
    return real.map(delivery -> delivery.deliver(realm, notice))
        .orElseGet(() -> answers.getOrDefault(notice.partner(), new LogoutDeliveryResult.Done()));
  }
}
