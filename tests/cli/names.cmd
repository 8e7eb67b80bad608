# Names with a slip of the finger: the name that was meant is in the message.
orrery run choleski
orrery run cholesky --sched dmads
orrery compare cholesky --sched dmda,egaer
orrery explore cholesky --strategy randon
orrery run cholesky --precision dubble
orrery run cholesky --layout matrx
orrery run cholesky --format jsn
orrery run cholesky --where gem=gpu
orrery run cholesky --where gemm=gpuu
orrery run cholesky --model qirks=on
orrery run cholesky --model quirks=exakt
orrery run cholesky --durations smapled
orrery ablate cholesky --degrade memry
orrery run cholesky --set overhead.sumbit=1us
orrery run cholesky --set link.Host.bandwith=1GBps
orrery run cholesky --platform atilla
orrery platform show migare
orrery histogram show --platform attila --kernel gmem
orrery histogram show --platform attila --device CUDA
# The case of letters and blanks do not count.
orrery run CHOLESKY --tiles 2 --platform Attila --sched ' DMDAS' --where GEMM=Gpu --precision Single --model 'Quirks = Off, pitch=off' --format JSON | grep -E '"(app|platform|precision|sched|models|where|gemm)":'
orrery compare lu --tiles 2 --sched 'dmda, EAGER' | sed '/In short/,$d' | grep -oE '^(dmda|eager)'
orrery ablate lu --tiles 2 --degrade ' memory, Pitch' | grep -oE '^(memory|pitch)=off'
# A record is named by an option.
orrery run cholesky --durations replayed
# An old name of dmda, as in StarPU.
orrery run cholesky --tiles 2 --platform mirage --sched heft-tm | grep -E '^(policy|makespan)'
orrery compare cholesky --tiles 2 --platform mirage --sched 'lws, HEFT' --format csv | cut -d, -f 1
