package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.refusal.RefusalTraces;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Traces in memory. */
final class RecordedRefusals implements RefusalTraces {

  private final List<RefusalTrace> all = new CopyOnWriteArrayList<>();

  @Override
  public void record(RefusalTrace trace) {
    all.add(trace);
  }

  @Override
  public List<RefusalTrace> find(String requestId) {
    return all.stream().filter(trace -> trace.requestId().equals(requestId)).toList();
  }

  @Override
  public int forget(String realm, String person) {
    return 0;
  }
}
