import codecs
from dataclasses import dataclass
@dataclass(frozen=True)
class Event: type: str; data: str; id: object; retry: object; offset: int; complete: bool
@dataclass(frozen=True)
class StreamDefect: detail: str; offset: int; excerpt: bytes
class EventTooLong(ValueError): pass
class SseDecoder:
    def __init__(self, limit): self.buf=b""; self.defects=[]; self.comments=0; self.last_event_id=None; self.ev={}
    def feed(self, data):
        self.buf += data; out=[]
        while b"\n" in self.buf:
            line, self.buf = self.buf.split(b"\n",1); line=line.rstrip(b"\r").decode("utf-8","replace")
            if not line: out += self._flush(True)
            elif line.startswith(":"): self.comments+=1
            else:
                k,_,v=line.partition(":"); v=v[1:] if v.startswith(" ") else v
                self.ev.setdefault(k,[]).append(v)
        return out
    def _flush(self, c):
        e, self.ev = self.ev, {}
        if not e: return []
        return [Event(e.get("event",["message"])[-1], "\n".join(e.get("data",[])), e.get("id",[None])[-1], e.get("retry",[None])[-1], 0, c)]
    def finish(self): return self._flush(False)
def encode(data, *, event=None, id=None, retry=None, newline="\n"):
    rows=[]
    if event is not None: rows.append(f"event: {event}")
    if id is not None: rows.append(f"id: {id}")
    if retry is not None: rows.append(f"retry: {retry}")
    rows += [f"data: {l}" for l in data.split("\n")]
    return (newline.join(rows)+newline*2).encode()
